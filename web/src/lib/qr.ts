/** A QR code for an address: bytes, error correction of level L, versions 1 to 10 (271 bytes). */

// Of each version at level L: data bytes, correction bytes of a block, blocks.
const VERSIONS: [number, number, number][] = [
  [19, 7, 1], [34, 10, 1], [55, 15, 1], [80, 20, 1], [108, 26, 1],
  [136, 18, 2], [156, 20, 2], [194, 24, 2], [232, 30, 2], [274, 18, 4],
]; // prettier-ignore
const ALIGNED: number[][] = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
]; // prettier-ignore

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}

const times = (a: number, b: number) => (a && b ? EXP[LOG[a]! + LOG[b]!]! : 0);

/** Reed–Solomon: what is left when the data are divided by the generator. */
function correction(data: number[], n: number): number[] {
  let generator = [1];
  for (let i = 0; i < n; i++) {
    const next = [...generator, 0];
    generator.forEach((factor, k) => (next[k + 1]! ^= times(factor, EXP[i]!)));
    generator = next;
  }
  const rest = [...data, ...new Array<number>(n).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i]!;
    generator.forEach((one, k) => (rest[i + k]! ^= times(one, factor)));
  }
  return rest.slice(data.length);
}

function words(bytes: Uint8Array, version: number): number[] {
  const [room, extra, blocks] = VERSIONS[version - 1]!;
  const bits: number[] = [];
  const push = (value: number, n: number) => {
    for (let i = n - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let i = 0; data.length < room; i++) data.push(i % 2 ? 17 : 236);

  const short = Math.floor(room / blocks);
  const longer = room % blocks; // the last blocks have one byte more
  const parts: number[][] = [];
  for (let i = 0, at = 0; i < blocks; i++) {
    const size = short + (i >= blocks - longer ? 1 : 0);
    parts.push(data.slice(at, (at += size)));
  }
  const codes = parts.map((part) => correction(part, extra));
  const all: number[] = [];
  for (let i = 0; i <= short; i++) for (const part of parts) if (i < part.length) all.push(part[i]!);
  for (let i = 0; i < extra; i++) for (const code of codes) all.push(code[i]!);
  return all;
}

type Grid = (boolean | null)[][];

function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null));
  const set = (y: number, x: number, dark: boolean) => {
    if (y >= 0 && x >= 0 && y < size && x < size) grid[y]![x] = dark;
  };
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]] as const)
    for (let y = -1; y < 8; y++)
      for (let x = -1; x < 8; x++) {
        const ring = Math.max(Math.abs(y - 3), Math.abs(x - 3));
        set(top + y, left + x, ring !== 2 && ring !== 4);
      }
  for (let i = 8; i < size - 8; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  const centres = ALIGNED[version - 1]!;
  for (const cy of centres)
    for (const cx of centres) {
      if (grid[cy]![cx] !== null && (cy === 6 || cx === 6) && (cy === cx || cy + cx === size - 1)) continue;
      for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(cy + y, cx + x, Math.max(Math.abs(y), Math.abs(x)) !== 1);
    }
  // Places of the format and, from version 7 on, of the version.
  for (let i = 0; i < 9; i++) {
    if (i !== 6) {
      set(8, i, false);
      set(i, 8, false);
    }
    if (i < 8) {
      set(8, size - 1 - i, false);
      set(size - 1 - i, 8, false);
    }
  }
  set(size - 8, 8, true);
  if (version >= 7) {
    const bits = coded(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >> i) & 1) === 1;
      set(Math.floor(i / 3), size - 11 + (i % 3), dark);
      set(size - 11 + (i % 3), Math.floor(i / 3), dark);
    }
  }
  return grid;
}

/** A number followed by the remainder of its division. */
function coded(value: number, by: number, n: number): number {
  let rest = value << n;
  for (let i = 31 - Math.clz32(rest); i >= n; i--) if ((rest >> i) & 1) rest ^= by << (i - n);
  return (value << n) | rest;
}

function format(grid: Grid, mask: number): void {
  const size = grid.length;
  const bits = coded((1 << 3) | mask, 0x537, 10) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const dark = ((bits >> i) & 1) === 1;
    grid[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i]![8] = dark;
    grid[8]![i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i] = dark;
  }
}

/** Rows of dark and light. */
export function qr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = VERSIONS.findIndex(([room], i) => bytes.length + (i < 9 ? 2 : 3) <= room) + 1;
  if (!version) throw new RangeError("too long for a QR code");
  const all = words(bytes, version);
  const grid = frame(version);
  const size = grid.length;
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const isUp = ((right + 1) & 2) === 0;
        const y = isUp ? size - 1 - step : step;
        if (grid[y]![x] !== null) continue;
        const dark = bit < all.length * 8 && ((all[bit >> 3]! >> (7 - (bit & 7))) & 1) === 1;
        grid[y]![x] = dark !== ((y + x) % 2 === 0); // mask 0
        bit++;
      }
  }
  format(grid, 0);
  return grid.map((row) => row.map((cell) => cell === true));
}
