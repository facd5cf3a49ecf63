"""What the house itself says to players and operators; what happens at the table is said by `text`."""

WORDS = {
    "pt": {
        # wrong
        "bad message": "Não entendi essa mensagem: {why}",
        "too big": "A mensagem é grande demais.",
        "too fast": "Mensagens demais em pouco tempo; espere um instante.",
        "too many sockets": "Você tem conexões abertas demais; feche alguma.",
        "too many bots": "Há robôs demais nas suas partidas abertas; termine alguma.",
        "too many matches": "Você tem partidas abertas demais; termine ou feche alguma.",
        "busy": "A casa está cheia agora; tente de novo daqui a pouco.",
        "no identity": "Primeiro diga seu nome.",
        "no match": "Essa partida não existe, ou não está aberta para você.",
        "not seated": "Você não tem lugar nessa partida.",
        "not open": "Abra a partida primeiro.",
        "no seat": "Não há lugar livre nessa partida.",
        "not your turn": "Agora não é a sua vez.",
        "seats drawn": "Nesta mesa é a casa que sorteia os lugares.",
        "late": "Acabou o tempo desta jogada: um robô joga por você, e a próxima é sua.",
        "closed": "Esta mesa foi fechada por quem estava nela.",
        "bad name": "Esse nome não serve: use letras ou sinais visíveis, e não “Você”.",
        "illegal": "Essa jogada não é possível agora.",
        "not playing": "A partida não está em jogo.",
        "not agreed": "Isso não foi combinado nesta mesa.",
        "cannot undo": "Não dá para desfazer: alguém já decidiu depois, ou a jogada mostrou uma carta escondida.",
        "too many undos": "Nesta partida já se desfez demais.",
        "no hint": "Aqui não há dica: lembrar faz parte do jogo.",
        "nothing asked": "Ninguém pediu para desfazer.",
        "not over": "O registro e a reprise saem quando a partida acabar; os do dia, quando o dia acabar.",
        "not kept": "As jogadas dessa partida não foram guardadas.",
        "storage": "A casa não conseguiu guardar isso; nada mudou. Tente de novo.",
        "other rules": "Esta partida não pode ser aberta aqui: começou com outra versão das regras, ou o que foi "
        "guardado dela está danificado.",
        "stopping": "A casa vai fechar por um momento; a partida fica guardada.",
        "bad option": "Essa opção não existe neste jogo, ou não com esse valor: {why}",
        "not alone": "Uma posição montada só se joga contra robôs e não entra na lista de mesas.",
        "bad seat": "Essa partida não tem esse lugar.",
        "bad position": "Essa posição não serve: {why}",
        "no game": "Não há esse jogo.",
        "bad places": "Os lugares não combinam com o jogo: são tantos quantos os jogadores, e só um é “me”.",
        "no link": "Esse código não vale, já foi usado ou expirou.",
        "no day": "Não há desafio do dia nessa data.",
        "tried": "Você já fez a sua tentativa de hoje.",
        "bad origin": "Esta página não pode falar com esta casa.",
        "bad host": "Esta casa não atende por esse nome: abra-a por localhost, ou diga o nome a ela com --origin.",
        "not found": "Não há nada aqui.",
        "failed": "Algo deu errado na casa; nada mudou.",
        # happened
        "dealt": "As cartas foram dadas.",
        "undone": "{who} desfez a última jogada.",
        "resigned": "{who} desistiu.",
        "taken over": "{who} deu lugar a um robô da casa.",
        "returned": "{who} voltou.",
        "won instead": "Quem desistiu não vence: {who} venceu.",
        "shared instead": "Quem desistiu não vence: {who} venceram.",
        "nobody": "Anônimo",
        "master": "Mestre",
        # verify
        "commitment holds": "O segredo corresponde ao compromisso que a casa mostrou antes: {commitment}.",
        "seed holds": "A semente vem do segredo, das contribuições dos lugares (pessoas: {people}; em silêncio: "
        "{silent}) e do nome da partida, {name}: compare com o da sua.",
        "added": "O lugar {seat} contribuiu com {bytes}: se era o seu, compare.",
        "moves hold": "Cartas dadas de novo e cada jogada conferida: {moves} jogadas de {game}, regras versão {rules}.",
        "set up": "Atenção: não houve sorteio. A partida começou de uma posição montada por quem a abriu; ela está no "
        "registro e foi amarrada à cadeia dos eventos. A semente serve só ao que se tira por sorte depois.",
        "moves from there hold": "Cada jogada conferida a partir dessa posição: {moves} jogadas de {game}, regras "
        "versão {rules}.",
        "result holds": "O resultado segue das jogadas: lugares vencedores {winners}, pontos {scores}.",
        "given up": "O resultado segue das desistências: lugares que desistiram {resigned}, vencedores {winners}.",
        "link holds": "Os {n} eventos formam uma cadeia que termina em {link}: compare com o que a sua tela mostrou.",
        "of a day": "É o desafio de {day}: a semente e a cadeia vêm da data, iguais para todos, e o código da partida "
        "({match}) é só palavra da casa. Compare o compromisso com o da véspera.",
        "screen holds": "É o que a sua tela viu: {n} momentos, com as cartas, as jogadas e o resultado; os lugares dos "
        "robôs; o compromisso de antes das cartas; e os seus bytes.",
        "late screen holds": "É o que a sua tela viu: {n} momentos, com as cartas, as jogadas e o resultado. Ela só "
        "chegou depois das cartas: qual era o compromisso antes, não sabe.",
        "no screen": "O arquivo não diz o que uma tela viu. Quem jogou o baixa pela página, no mesmo navegador, e "
        "então isso também se confere, carta por carta.",
        "all holds": "Tudo confere. Nomes, níveis dos robôs, relógios e horários são só palavra da casa.",
        "no proof": "É uma partida guardada no terminal: carteado replay a mostra, mas não há prova da distribuição.",
        "not a record": "Não é um registro de partida: {why}",
        "other version": "O registro é de {game} pelas regras versão {found}; aqui se conhece a versão {known}.",
        "other format": "O registro é do formato {found}; aqui se conhece o {known}.",
        "commitment": "O segredo ({secret}…) não corresponde ao compromisso ({commitment}…).",
        "seats": "O registro tem {seats} lugares, e a partida é de {players}.",
        "day": "O desafio de um dia vem só da data, sem contribuições nem posição montada; este ({day}) não é assim.",
        "start": "Uma posição montada só se joga contra robôs, e esta partida começou de uma com mais de uma pessoa.",
        "screen event": "No evento {n} a partida do registro não é a que a sua tela viu.",
        "screen name": "A sua tela viu outra partida: {name}.",
        "screen commitment": "A sua tela viu primeiro outro compromisso: {commitment}…",
        "screen seats": "A sua tela viu robôs em outros lugares ({seats}): a casa pode ter acrescentado bytes por eles "
        "e escolhido o baralho.",
        "screen bytes": "Os bytes do lugar {seat} não são os que a sua tela mandou.",
        "screen silent": "A sua tela mandou bytes para o lugar {seat}, e no registro não há nenhum: ou chegaram tarde, "
        "ou a casa os deixou de fora.",
        "screen result": "A sua tela viu outro resultado: lugares vencedores {winners}, pontos {scores}.",
        "contributions": "As contribuições não são as que os eventos mostram.",
        "seed": "A semente não vem do segredo, das contribuições e do nome da partida {match}.",
        "event": "O evento {n} não pode ser verdade: {why}",
        "link": "A cadeia dos {n} eventos não termina onde o registro diz: algo foi mudado ou trocado de lugar.",
        "unfinished": "As jogadas não levam ao fim da partida.",
        "result": "O resultado não segue das jogadas: os lugares vencedores seriam {winners}, com pontos {scores}.",
        "no file": "Não consegui ler {file}: {why}.",
    },
    "en": {
        # wrong
        "bad message": "I did not understand that message: {why}",
        "too big": "The message is too big.",
        "too fast": "Too many messages in a short time; wait a moment.",
        "too many sockets": "You have too many open connections; close one.",
        "too many bots": "There are too many bots in your open matches; finish one.",
        "too many matches": "You have too many open matches; finish or close one.",
        "busy": "The house is full right now; try again in a while.",
        "no identity": "Say your name first.",
        "no match": "There is no such match, or it is not open to you.",
        "not seated": "You have no seat in that match.",
        "not open": "Open the match first.",
        "no seat": "There is no free seat in that match.",
        "not your turn": "It is not your turn now.",
        "seats drawn": "At this table the house draws who sits where.",
        "late": "Time is up for this move: a bot plays it for you, and the next one is yours.",
        "closed": "This table was closed by those who sat at it.",
        "bad name": "That name will not do: use letters or signs that can be seen, and not “You”.",
        "illegal": "That move is not possible now.",
        "not playing": "The match is not being played.",
        "not agreed": "That was not agreed on at this table.",
        "cannot undo": "That cannot be undone: somebody has decided since, or it showed a hidden card.",
        "too many undos": "Too many moves were taken back in this match.",
        "no hint": "There is no hint here: remembering is part of the game.",
        "nothing asked": "Nobody asked to undo a move.",
        "not over": "The record and the replay are published when the match is over; those of a day, when the day is "
        "over.",
        "not kept": "The moves of that match were not kept.",
        "storage": "The house could not keep that; nothing has changed. Try again.",
        "other rules": "This match cannot be opened here: it was started with another version of the rules, or what "
        "was kept of it is damaged.",
        "stopping": "The house is closing for a moment; the match is kept.",
        "bad option": "This game has no such option, or not with that value: {why}",
        "not alone": "A position that was set up is only played against bots, and is not listed.",
        "bad seat": "That match has no such seat.",
        "bad position": "That position will not do: {why}",
        "no game": "There is no such game.",
        "bad places": "The seats do not fit the game: there are as many as players, and just one is “me”.",
        "no link": "That code is not valid, was already used, or has expired.",
        "no day": "There is no deal of the day for that date.",
        "tried": "You have already had your try today.",
        "bad origin": "This page may not talk to this house.",
        "bad host": "This house does not answer to that name: open it as localhost, or tell it the name with --origin.",
        "not found": "There is nothing here.",
        "failed": "Something went wrong in the house; nothing has changed.",
        # happened
        "dealt": "The cards were dealt.",
        "undone": "{who} undid the last move.",
        "resigned": "{who} resigned.",
        "taken over": "{who} gave way to a house bot.",
        "returned": "{who} came back.",
        "won instead": "Whoever resigned cannot win: {who} won.",
        "shared instead": "Whoever resigned cannot win: {who} won.",
        "nobody": "Anonymous",
        "master": "Master",
        # verify
        "commitment holds": "The secret is the one that the house committed to before the deal: {commitment}.",
        "seed holds": "The seed comes from the secret, what the seats added (people: {people}; silent: {silent}) "
        "and the name of the match, {name}: compare it with that of yours.",
        "added": "Seat {seat} added {bytes}: if it was yours, compare.",
        "moves hold": "Dealt again and every move checked: {moves} moves of {game}, rules version {rules}.",
        "set up": "Note: nothing was dealt. The match began at a position set up by whoever opened it; it is in the "
        "record and tied into the chain of events. The seed only serves what is drawn by chance later.",
        "moves from there hold": "Every move from that position checked: {moves} moves of {game}, rules version "
        "{rules}.",
        "result holds": "The result follows from the moves: winning seats {winners}, points {scores}.",
        "given up": "The result follows from who resigned: seats {resigned}; winning seats {winners}.",
        "link holds": "The {n} events form a chain that ends in {link}: compare it with what your screen showed.",
        "of a day": "It is the deal of {day}: its seed and its chain come from the date, the same for all, and the "
        "code of the match ({match}) is the house's word alone. Compare the commitment with that of the day before.",
        "screen holds": "It is what your screen saw: {n} moments, with cards, moves and result; the seats of bots; the "
        "commitment of before the deal; and your bytes.",
        "late screen holds": "It is what your screen saw: {n} moments, with cards, moves and result. It came only "
        "after the deal: what the commitment was before, it does not know.",
        "no screen": "The file does not say what a screen saw. Whoever played downloads it from the page, in the same "
        "browser, and then that is checked too, card by card.",
        "all holds": "All of it holds. Names, bot levels, clocks and times are the house's word alone.",
        "no proof": "This is a match saved in the terminal: carteado replay shows it, but it has no proof of its deal.",
        "not a record": "This is not the record of a match: {why}",
        "other version": "The record is of {game} by rules version {found}; this program knows version {known}.",
        "other format": "The record has format {found}; this program knows {known}.",
        "commitment": "The secret ({secret}…) is not the one committed to ({commitment}…).",
        "seats": "The record has {seats} seats, and the match is for {players}.",
        "day": "The deal of a day comes from a date alone, and nothing is added or set up; this one ({day}) is not so.",
        "start": "A position that was set up is only played against bots; this match began at one with several people.",
        "screen event": "At event {n} the match of the record is not the one that your screen saw.",
        "screen name": "Your screen saw another match: {name}.",
        "screen commitment": "Your screen saw another commitment first: {commitment}…",
        "screen seats": "Your screen saw bots at other seats ({seats}): the house may have added bytes for them and "
        "chosen the deck.",
        "screen bytes": "The bytes of seat {seat} are not those that your screen sent.",
        "screen silent": "Your screen sent bytes for seat {seat}, and the record has none: either they came too late "
        "or the house left them out.",
        "screen result": "Your screen saw another result: winning seats {winners}, scores {scores}.",
        "contributions": "The contributions are not those that the events show.",
        "seed": "The seed does not come from the secret, the contributions and the name of match {match}.",
        "event": "Event {n} cannot be true: {why}",
        "link": "The chain of {n} events does not end where the record says: something was changed or moved.",
        "unfinished": "The moves do not lead to the end of the match.",
        "result": "The result does not follow from the moves: the winning seats would be {winners}, with points "
        "{scores}.",
        "no file": "Could not read {file}: {why}.",
    },
}


def say(lang: str, key: str, **parts: object) -> str:
    return WORDS[lang][key].format(**parts)


def language(accepts: str) -> str:
    """For somebody of whom only his browser's wishes are known."""
    return "en" if accepts.strip().lower().startswith("en") else "pt"
