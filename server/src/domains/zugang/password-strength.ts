/**
 * Whether a new password is one that guessers try first: common ones and their variations, sequences, repetitions, and what the
 * user is known by. How many guesses a password withstands, the library estimates; nothing is asked of its characters.
 */

/** Loaded with the first new password: half of the processes never see one. */
const loadEstimator = async () => {
  const [{ ZxcvbnFactory }, common, { dictionary: german }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-de'),
  ]);
  const { commonWords, firstnames, lastnames } = german;
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, commonWords, firstnames, lastnames, calendar: CALENDAR },
    graphs: common.adjacencyGraphs,
    maxLength: JUDGED,
    l33tMaxSubstitutions: SUBSTITUTIONS,
  });
};
/** Its lists take 10 MiB, and 10 ms to be ordered: they go with the next collection of garbage. */
let estimator: WeakRef<ReturnType<typeof loadEstimator>> | null = null;

/** The estimate takes the longer the more it looks at, on the thread that serves everybody: so it looks at the beginning. */
const JUDGED = 24;
const SUBSTITUTIONS = 4;

/** Of 0 to 4; from here on the library calls a password safely unguessable: 10^8 guesses. */
const SAFE = 3;
/** 10^6 guesses: the rest without signs is worth fewer, and need not be more. */
const SAFE_WITHOUT_SIGNS = 2;
/** Less than this is no password that somebody has dressed up with signs. */
const DRESSED_UP = 8;

const PRODUCT = ['zaehlwerk', 'zählwerk'];
/** What guessers put a year behind when a password has to change, as it is written and as keyboards without umlauts have it. */
const CALENDAR = [
  ...[
    'frühling',
    'frühjahr',
    'sommer',
    'herbst',
    'winter',
    'januar',
    'jänner',
    'februar',
    'märz',
    'april',
    'mai',
  ],
  ...[
    'juni',
    'juli',
    'august',
    'september',
    'oktober',
    'november',
    'dezember',
    'weihnachten',
    'ostern',
    'advent',
  ],
  ...[
    'silvester',
    'neujahr',
    'montag',
    'dienstag',
    'mittwoch',
    'donnerstag',
    'freitag',
    'samstag',
    'sonntag',
  ],
  ...[
    'spring',
    'summer',
    'autumn',
    'january',
    'february',
    'march',
    'may',
    'june',
    'july',
    'october',
    'december',
  ],
].flatMap((word) => [
  word,
  word.replaceAll('ä', 'ae').replaceAll('ü', 'ue'),
  word.replaceAll('ä', 'a').replaceAll('ü', 'u'),
]);
/** Shorter words say little about a user, and stand in many a good password. */
const SHORTEST_WORD = 3;

const withoutSigns = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');

/** A name or an address as guessers take it: whole and in parts, as they are, without their signs, and word by word. */
function wordsOf(name: string): string[] {
  const whole = name.normalize('NFC').toLowerCase();
  const parts = [whole, ...whole.split('@'), ...whole.split(/[@.]/)];
  const words = parts.flatMap((part) => [part, withoutSigns(part), ...part.split(/[^\p{L}\p{N}]+/u)]);
  return words.filter((word) => word.length >= SHORTEST_WORD).map((word) => word.slice(0, JUDGED));
}

/** `known` is what others know of the user: address, name, company. */
export async function isGuessable(passwort: string, known: readonly (string | null)[]): Promise<boolean> {
  const loading = estimator?.deref() ?? loadEstimator();
  estimator = new WeakRef(loading);
  const check = await loading;
  const words = [...PRODUCT, ...known.flatMap((name) => (name === null ? [] : wordsOf(name)))];
  const scoreOf = (text: string) => check.check(text, words).score;
  const text = passwort.normalize('NFC');
  if (scoreOf(text) < SAFE) return true;
  const bare = withoutSigns(text);
  return bare !== text && bare.length >= DRESSED_UP && scoreOf(bare) < SAFE_WITHOUT_SIGNS;
}
