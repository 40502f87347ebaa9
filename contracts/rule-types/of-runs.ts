/** Types of rules about the steps of a run. */
import { boolean, count, decimal, decimalInput, field, listOf, oneOf, Type, uuid } from '../kit/index.ts';
import {
  ausnahmen,
  bis,
  CALLING,
  during,
  LIMIT,
  MAX_LAEUFE,
  MAX_SCHRITTE,
  NONE,
  number,
  of,
  p,
  pause_sekunden,
  percent,
  ruleType,
  SOME_RUNS,
  SOME_STEPS,
  STEPS,
  share,
  steps,
  THEN,
  zuwachs_prozent,
} from './kit.ts';

export const schleife_exakt = ruleType({
  meaning:
    'At least `schwelle` consecutive steps of a run that succeeded have the same prompt, the same tools and the same model, one shortly after the other and without new information: the input hardly grows, results (`zusatz.ergebnis_fingerabdruck`), where told, are alike. Where nothing shows that the run goes on (no tools, or the input stays the same) it takes `ohne_verlauf` of them. Failed calls do not count, nor those with `zusatz.wiederholung_gewollt`. The cost of the repeats from the third on is burnt money, but for the last one.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: steps(5),
  zeitfenster: null,
  parameter: Type.Object({
    pause_sekunden: pause_sekunden(30),
    zuwachs_prozent,
    zuwachs_token: p(
      number(0, 1_000_000),
      'This many more tokens are no new information either, however little the input was before: what a step says and a tool answers.',
      300,
    ),
    ohne_verlauf: p(
      number(2, 1_000),
      'This many steps it takes where nothing shows that the run goes on: rows of a list, samples and evaluations are alike, too.',
      20,
    ),
    ausnahmen,
  }),
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: 'wiederholungen',
  werte: Type.Object({
    ...STEPS,
    wiederholungen: field(
      count(),
      'Repeats from the third step on, but for the last one: their cost is burnt.',
      2,
    ),
  }),
  beispiel: { ...SOME_STEPS, wiederholungen: 2 },
  umfang: 'anzahl',
  satz: {
    de: (w, f) => `wiederholt ${f.zahl(w.anzahl)}-mal hintereinander denselben Aufruf${f.schritte(w)}`,
    en: (w, f) => `repeats the same call ${f.zahl(w.anzahl)} times in a row${f.schritte(w)}`,
  },
});

export const schleife_nah = ruleType({
  meaning:
    'At least `schwelle` of the last steps of a run that succeeded resemble the latest one: prompts at most `abstand` bits apart, about as much input, the same tools, one shortly after the other. Of runs without fingerprints it sees less: twice as many steps with the same model, input and output, and warns at most.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: { ...steps(5), max: '20' },
  zeitfenster: null,
  parameter: Type.Object({
    schritte: p(number(2, 20), 'How many of the last steps are looked at.', 20),
    abstand: p(number(0, 16), 'Bits in which the fingerprints of two prompts may differ.', 3),
    eingabe_prozent: p(
      number(0, 100),
      'By how much the input tokens of two steps may differ, in percent.',
      5,
    ),
    pause_sekunden: pause_sekunden(30),
    ausnahmen,
  }),
  hoechstens: 'anhalten',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    ...STEPS,
    nur_form: field(boolean(), 'Whether the steps have no fingerprints: alike are their counts only.', false),
  }),
  beispiel: { ...SOME_STEPS, nur_form: false },
  umfang: 'anzahl',
  satz: {
    de: (w, f) =>
      `macht ${f.zahl(w.anzahl)} fast gleiche Aufrufe${w.nur_form ? ', soweit ohne Fingerabdrücke zu sehen' : ''}${f.schritte(w)}`,
    en: (w, f) =>
      `makes ${f.zahl(w.anzahl)} nearly equal calls${w.nur_form ? ', as far as can be seen without fingerprints' : ''}${f.schritte(w)}`,
  },
});

export const pingpong = ruleType({
  meaning:
    'The tools of a run alternate between two (A, B, A, B …) for at least `schwelle` cycles of two steps that succeeded, one shortly after the other. Where what they are asked for changes with each cycle it warns at most.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: { ...of('zyklen', 4, 2, 1000) },
  zeitfenster: null,
  parameter: Type.Object({ pause_sekunden: pause_sekunden(30), ausnahmen }),
  hoechstens: 'anhalten',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({ ...STEPS, zyklen: field(count(), 'Whole cycles of two steps.', 4) }),
  beispiel: { ...SOME_STEPS, schritte: [3, 4, 5, 6, 7, 8, 9, 10], anzahl: 8, zyklen: 4 },
  umfang: 'anzahl',
  satz: {
    de: (w, f) => `wechselt seit ${f.zahl(w.zyklen)} Runden zwischen zwei Werkzeugen${f.schritte(w)}`,
    en: (w, f) => `has alternated between two tools for ${f.zahl(w.zyklen)} rounds${f.schritte(w)}`,
  },
});

export const zyklus = ruleType({
  meaning:
    'The tools of a run (names and arguments) come again in the same order, one or three to `laenge` of them, for at least `schwelle` cycles and `mindest_schritte` steps; each step comes soon after the one before and adds little to what was said. Two in turn: `pingpong`.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: of('zyklen', 3, 2, 1000),
  zeitfenster: null,
  parameter: Type.Object({
    laenge: p(number(1, 12), 'How many steps a cycle has at most.', 12),
    mindest_schritte: p(number(2, 1_000), 'Shorter runs are not judged.', 12),
    pause_sekunden: p(
      number(1, 86_400),
      'Steps further apart were made by somebody who waits: they belong to no cycle.',
      20,
    ),
    zuwachs_token: p(
      number(1, 10_000_000),
      'A step that adds more tokens to the input than this learns something: it belongs to no cycle.',
      500,
    ),
  }),
  hoechstens: 'anhalten',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    ...STEPS,
    laenge: field(count(), 'Steps of a cycle.', 3),
    zyklen: field(count(), 'Whole cycles.', 4),
  }),
  beispiel: { ...SOME_STEPS, anzahl: 12, laenge: 3, zyklen: 4 },
  umfang: 'anzahl',
  satz: {
    de: (w, f) =>
      `dreht sich im Kreis: ${f.zahl(w.zyklen)}-mal dieselben ${w.laenge === 1 ? 'Werkzeuge' : `${f.zahl(w.laenge)} Schritte`}${f.schritte(w)}`,
    en: (w, f) =>
      `goes round in circles: ${f.zahl(w.zyklen)} times the same ${w.laenge === 1 ? 'tools' : `${f.zahl(w.laenge)} steps`}${f.schritte(w)}`,
  },
});

export const leerlauf = ruleType({
  meaning:
    'At least `schwelle` consecutive steps of a run call no tool and say hardly anything but reasoning, each of them dear, while the input neither falls nor grows by much.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: { ...steps(5), max: '20' },
  zeitfenster: null,
  parameter: Type.Object({
    antwort_token: p(number(0, 1_000_000), 'Output without reasoning of such a step at most.', 100),
    mindest_schritt_eur: p(
      decimalInput({ min: '0', max: '1000000000' }),
      'Cheaper steps are not judged, in EUR.',
      '0.05',
    ),
    zuwachs_token: p(
      number(1, 10_000_000),
      'A step that adds more tokens to the input than this has something to say about.',
      1_000,
    ),
  }),
  hoechstens: 'anhalten',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    ...STEPS,
    denk_token: field(count(), 'Tokens of reasoning of these steps.', 130_000),
  }),
  beispiel: { ...SOME_STEPS, denk_token: 130_000 },
  umfang: 'anzahl',
  satz: {
    de: (w, f) => `kommt seit ${f.zahl(w.anzahl)} Schritten nicht voran${f.schritte(w)}`,
    en: (w, f) => `has got nowhere for ${f.zahl(w.anzahl)} steps${f.schritte(w)}`,
  },
});

export const verdichtung = ruleType({
  meaning:
    'The context of a run is compacted at least `schwelle` times, each time within `hoechstens_schritte` steps of the last: an input of at least `mindest_eingabe` tokens falls by half and more.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: of('verdichtungen', 5, 2, 1000),
  zeitfenster: null,
  parameter: Type.Object({
    hoechstens_schritte: p(number(1, 20), 'So soon after the last time the context is full again.', 8),
    mindest_eingabe: p(number(1, 10_000_000), 'Smaller contexts are not judged, in tokens.', 50_000),
  }),
  hoechstens: 'anhalten',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({ ...STEPS, verdichtungen: field(count(), 'How often it was compacted.', 6) }),
  beispiel: { ...SOME_STEPS, anzahl: 11, verdichtungen: 6 },
  umfang: 'anzahl',
  satz: {
    de: (w, f) => `verdichtet seinen Kontext immer wieder, ${f.zahl(w.verdichtungen)}-mal${f.schritte(w)}`,
    en: (w, f) => `compacts its context again and again, ${f.zahl(w.verdichtungen)} times${f.schritte(w)}`,
  },
});

export const rekursion = ruleType({
  meaning:
    'A run was begun from another of the same agent, that from another, and so on: in the chain of runs that led to it (`zusatz.eltern_lauf`) its agent stands `schwelle` times, itself included.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: of('laeufe', 4, 2, 50),
  zeitfenster: null,
  parameter: Type.Object({ ausnahmen }),
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    tiefe: field(count(), 'How many runs of the chain are those of its agent.', 4),
    aufrufe: field(count(), 'Calls of the run.', 6),
    laeufe: field(listOf(uuid(), MAX_LAEUFE), 'The last runs of the chain, itself first.'),
    laeufe_anzahl: field(count(), 'How many runs the chain has.', 4),
    bis,
  }),
  beispiel: { tiefe: 4, aufrufe: 6, ...SOME_RUNS, laeufe_anzahl: 4, bis: THEN },
  umfang: 'aufrufe',
  satz: {
    de: (w, f) => `ruft sich selbst immer wieder auf, ${f.zahl(w.tiefe)} Läufe tief`,
    en: (w, f) => `calls itself again and again, ${f.zahl(w.tiefe)} runs deep`,
  },
});

export const neustart = ruleType({
  meaning:
    "A run does the same as the run of its agent just before it, that as the one before, and so on, `schwelle` runs in all: it begins with the same prompt and calls the same tools, with the same arguments, in its first `gleiche_schritte` steps that succeeded. Each of those before ended without an answer (its last call failed, or asked for a tool), shortly before the next began, for the same end customer and user. Runs that begin whole minutes apart are a clock's.",
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: of('laeufe', 3, 2, MAX_LAEUFE),
  zeitfenster: null,
  parameter: Type.Object({
    gleiche_schritte: p(
      number(2, 15),
      'Number of steps at the beginning of the runs that must be the same.',
      5,
    ),
    pause_sekunden: p(
      number(1, 3_600),
      'A run goes on with the one before if it begins at most this many seconds after the last call of that: what comes later was begun by a person or a clock.',
      30,
    ),
    ausnahmen,
  }),
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    laeufe: field(listOf(uuid(), MAX_LAEUFE), 'The last runs of the chain, itself first.'),
    laeufe_anzahl: field(
      count(),
      'How many runs began with the same steps; no more are followed than `laeufe` lists.',
      3,
    ),
    schritte: field(
      listOf(count(), MAX_SCHRITTE),
      'The steps of the run that are the same, by their numbers; where the sender numbers none, by their place in the run.',
      [1, 2, 3, 4, 5],
    ),
    anzahl: field(count(), 'How many steps these are.', 5),
    aufrufe: field(count(), 'Calls of the run.', 6),
    bis,
  }),
  beispiel: {
    ...SOME_RUNS,
    laeufe_anzahl: 3,
    schritte: [1, 2, 3, 4, 5],
    anzahl: 5,
    aufrufe: 6,
    bis: THEN,
  },
  umfang: 'aufrufe',
  satz: {
    de: (w, f) =>
      `beginnt dieselbe Arbeit immer wieder von vorn, ${f.zahl(w.laeufe_anzahl)} Läufe nacheinander`,
    en: (w, f) =>
      `begins the same work anew again and again, ${f.zahl(w.laeufe_anzahl)} runs one after the other`,
  },
});

export const lauf_deckel = ruleType({
  meaning: 'A run has more calls, or costs more, than `schwelle`.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: { einheiten: ['aufrufe', 'eur'], default: '200', min: '0', max: '1000000000' },
  zeitfenster: null,
  parameter: NONE,
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    aufrufe: field(count(), 'Calls of the run.', 260),
    fehler: field(count(), 'Failed calls of the run.', 2),
    unbepreist: field(count(), 'Calls of the run without a known price.', 0),
    schwelle: LIMIT.schwelle,
    einheit: field(oneOf('aufrufe', 'eur'), 'What the threshold is counted in.'),
    bis,
  }),
  beispiel: { aufrufe: 260, fehler: 2, unbepreist: 0, schwelle: '200', einheit: 'aufrufe', bis: THEN },
  umfang: 'aufrufe',
  satz: {
    de: (w, f) =>
      w.einheit === 'aufrufe'
        ? `hat ${f.zahl(w.aufrufe)} Aufrufe, erlaubt sind ${f.zahl(w.schwelle)}`
        : `kostet mehr als die erlaubten ${f.euro(w.schwelle)}`,
    en: (w, f) =>
      w.einheit === 'aufrufe'
        ? `has ${f.zahl(w.aufrufe)} calls, allowed are ${f.zahl(w.schwelle)}`
        : `costs more than the ${f.euro(w.schwelle)} allowed`,
  },
});

export const baum_deckel = ruleType({
  meaning:
    'A run and all runs that were begun from it, directly or through others (`zusatz.eltern_lauf`), cost more than `schwelle` together, or are more runs. The finding is about the run at the root; what was begun from it obeys the order to it, where it runs in the same process with a package.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: { einheiten: ['eur', 'laeufe'], default: '20', min: '0', max: '1000000000' },
  zeitfenster: null,
  parameter: NONE,
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    laeufe: field(listOf(uuid(), MAX_LAEUFE), 'The first of these runs, in the order in which they began.'),
    laeufe_anzahl: field(count(), 'How many runs they are, the one at the root included.', 12),
    aufrufe: field(count(), 'Calls of them all.', 140),
    unbepreist: field(count(), 'Those of them without a known price.', 0),
    schwelle: LIMIT.schwelle,
    einheit: field(oneOf('eur', 'laeufe'), 'What the threshold is counted in.'),
    bis,
  }),
  beispiel: {
    ...SOME_RUNS,
    laeufe_anzahl: 12,
    aufrufe: 140,
    unbepreist: 0,
    schwelle: '20',
    einheit: 'eur',
    bis: THEN,
  },
  umfang: 'aufrufe',
  satz: {
    de: (w, f) =>
      w.einheit === 'eur'
        ? `kostet mit den Läufen darunter, ${f.zahl(w.laeufe_anzahl)} im Ganzen, mehr als die erlaubten ${f.euro(w.schwelle)}`
        : `hat ${f.zahl(w.laeufe_anzahl)} Läufe begonnen, er selbst mitgezählt, erlaubt sind ${f.zahl(w.schwelle)}`,
    en: (w, f) =>
      w.einheit === 'eur'
        ? `costs with the runs below, ${f.zahl(w.laeufe_anzahl)} in all, more than the ${f.euro(w.schwelle)} allowed`
        : `has begun ${f.zahl(w.laeufe_anzahl)} runs, itself included, ${f.zahl(w.schwelle)} are allowed`,
  },
});

export const kontextwachstum = ruleType({
  meaning:
    'The input of a run grows by at least `schwelle` tokens a step (least squares), the last step has `faktor` times the first, and much of it did not come from the cache.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: of('token', 1_500, 1, 10_000_000),
  zeitfenster: null,
  parameter: Type.Object({
    mindest_schritte: p(number(2, 20), 'Shorter runs are not judged.', 8),
    faktor: p(number(1, 1_000), 'How many times the input of the first step the last one has at least.', 4),
    ohne_cache_prozent: p(
      number(0, 100),
      'How much of the input of all its steps did not come from the cache at least, in percent: what a cache gives costs little.',
      50,
    ),
    ausnahmen,
  }),
  hoechstens: 'anhalten',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    ...STEPS,
    steigung: field(
      decimal(),
      'Input tokens more with each step (least squares), rounded to one decimal.',
      '1800.5',
    ),
    erste_eingabe: field(count(), 'Input tokens of the first step.', 2_000),
    letzte_eingabe: field(count(), 'Input tokens of the last step.', 24_000),
  }),
  beispiel: { ...SOME_STEPS, steigung: '1800.5', erste_eingabe: 2_000, letzte_eingabe: 24_000 },
  umfang: 'anzahl',
  satz: {
    de: (w, f) =>
      `schickt mit jedem Schritt mehr: von ${f.zahl(w.erste_eingabe)} auf ${f.zahl(w.letzte_eingabe)} Token Eingabe mit Cache`,
    en: (w, f) =>
      `sends more with each step: from ${f.zahl(w.erste_eingabe)} to ${f.zahl(w.letzte_eingabe)} tokens of input with cache`,
  },
});

export const cache_verlust = ruleType({
  meaning:
    'A step of a run sends at least `schwelle` percent of its input past the cache that was in it a moment ago: what the step before, within the window, had read from it or written to it, or all of what that had sent, where both have the same prompt.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: share(25),
  zeitfenster: during('5m'),
  parameter: Type.Object({
    mindest_eingabe: p(number(1, 10_000_000), 'Steps with fewer input tokens are not judged.', 4_096),
    vorher_prozent: p(percent(), 'How much of its input the step before must have had, in percent.', 90),
    ausnahmen,
  }),
  hoechstens: 'warnen',
  bereiche: CALLING,
  ursache: 'cache',
  werte: Type.Object({
    ...STEPS,
    verlorene_token: field(
      count(),
      'Tokens that the step before had sent already and that did not come from the cache.',
      90_000,
    ),
  }),
  beispiel: { ...SOME_STEPS, verlorene_token: 90_000 },
  umfang: null,
  satz: {
    de: (w, f) => `verfehlt den Cache: ${f.zahl(w.verlorene_token)} Token wurden noch einmal voll bezahlt`,
    en: (w, f) => `misses the cache: ${f.zahl(w.verlorene_token)} tokens were paid in full once more`,
  },
});

export const ausgabe_explosion = ruleType({
  meaning: 'A call has more than `schwelle` output tokens and more than `faktor` times its input.',
  quelle: 'schritte',
  objekt: 'lauf',
  schwelle: of('token', 4_000, 1, 10_000_000),
  zeitfenster: during('24h'),
  parameter: Type.Object({
    faktor: p(number(1, 1_000), 'How many times the input the output must exceed.', 5),
  }),
  hoechstens: 'warnen',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({ ...STEPS, ausgabe_token: field(count(), 'Output tokens of these steps.', 12_000) }),
  beispiel: { ...SOME_STEPS, ausgabe_token: 12_000 },
  umfang: null,
  satz: {
    de: (w, f) => `schreibt ungewöhnlich viel: ${f.zahl(w.ausgabe_token)} Token Ausgabe${f.schritte(w)}`,
    en: (w, f) => `writes unusually much: ${f.zahl(w.ausgabe_token)} output tokens${f.schritte(w)}`,
  },
});
