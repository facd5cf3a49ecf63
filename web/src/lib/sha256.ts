/** SHA-256 in plain code: over plain http the browser's own is not there. */

const K = new Uint32Array(64);
const START = new Uint32Array(8);

/** The first 32 bits of the fractional part. */
const fraction = (x: number) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;

for (let n = 2, found = 0; found < 64; n++) {
  let isPrime = true;
  for (let k = 2; k * k <= n; k++) if (n % k === 0) isPrime = false;
  if (!isPrime) continue;
  if (found < 8) START[found] = fraction(Math.sqrt(n));
  K[found++] = fraction(Math.cbrt(n));
}

const turn = (x: number, n: number) => (x >>> n) | (x << (32 - n));

function block(state: Uint32Array, data: DataView, at: number, w: Uint32Array): void {
  for (let i = 0; i < 16; i++) w[i] = data.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = state[i]! + x));
}

/** Keyed: HMAC with a key of at most 64 bytes. */
export function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  const padded = (byte: number, rest: Uint8Array) => {
    const all = new Uint8Array(64 + rest.length).fill(byte, 0, 64);
    key.forEach((one, i) => (all[i] = one ^ byte));
    all.set(rest, 64);
    return sha256(all);
  };
  return padded(0x5c, padded(0x36, data));
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  data.setUint32(padded.length - 4, bytes.length << 3);
  const state = START.slice();
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) block(state, data, at, w);
  const out = new Uint8Array(32);
  state.forEach((x, i) => new DataView(out.buffer).setUint32(4 * i, x));
  return out;
}
