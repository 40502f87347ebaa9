/** Types of rules about calls, across runs. */
import { count, decimal, decimalInput, field, listOf, preset, Type, text } from '../kit/index.ts';
import {
  agenten,
  aufrufe,
  ausnahmen,
  bis,
  CALLING,
  during,
  GELTUNGSBEREICHE,
  laeufe,
  laeufe_anzahl,
  MAX_NAMEN,
  modelle,
  NONE,
  number,
  of,
  p,
  pause_sekunden,
  percent,
  ruleType,
  SOME_RUNS,
  share,
  THEN,
} from './kit.ts';

const AT = { modelle: ['gpt-4o-mini'], bis: THEN };

export const wiederholsturm = ruleType({
  meaning:
    'At least `schwelle` calls with the same prompt, of one agent with one model, fail again within the window, each begun shortly after the one before had failed and without waiting longer from time to time. Their cost is burnt money.',
  quelle: 'aufrufe',
  objekt: 'agent',
  schwelle: of('aufrufe', 3, 2, 10_000),
  zeitfenster: during('5m'),
  parameter: Type.Object({ pause_sekunden: pause_sekunden(10), ausnahmen }),
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: 'fehlversuche',
  werte: Type.Object({
    aufrufe: field(count(), 'Failed calls within a storm, the first attempts left out.', 12),
    prompts: field(count(), 'Different prompts among them.', 1),
    modelle,
    laeufe,
    laeufe_anzahl,
    bis,
  }),
  beispiel: { aufrufe: 12, prompts: 1, ...AT, ...SOME_RUNS },
  umfang: null,
  satz: {
    de: (w, f) => `versucht einen fehlgeschlagenen Aufruf immer wieder, ${f.zahl(w.aufrufe)}-mal`,
    en: (w, f) => `tries a failed call again and again, ${f.zahl(w.aufrufe)} times`,
  },
});

export const fehlerbrand = ruleType({
  meaning: 'Of the calls of an agent within the window at least `schwelle` percent failed.',
  quelle: 'aufrufe',
  objekt: 'agent',
  schwelle: share(20),
  zeitfenster: during('15m'),
  parameter: Type.Object({
    mindest_aufrufe: p(number(1, 1_000_000), 'Fewer calls are not judged.', 10),
    mindest_kosten_eur: p(
      decimalInput({ min: '0', max: '1000000000' }),
      'Less failed cost is not judged, in EUR, unless there are `mindest_fehler`.',
      '1',
    ),
    mindest_fehler: p(
      number(1, 1_000_000),
      'This many failed calls that cost nothing are judged, too: refused, or never answered.',
      20,
    ),
  }),
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    aufrufe: field(count(), 'Calls of the windows in which too many failed.', 60),
    fehler: field(count(), 'Failed ones among them.', 25),
    bis,
  }),
  beispiel: { aufrufe: 60, fehler: 25, bis: THEN },
  umfang: null,
  satz: {
    de: (w, f) => `scheitert oft: ${f.zahl(w.fehler)} von ${f.zahl(w.aufrufe)} Aufrufen sind fehlgeschlagen`,
    en: (w, f) => `fails often: ${f.zahl(w.fehler)} of ${f.zahl(w.aufrufe)} calls have failed`,
  },
});

export const duplikat = ruleType({
  meaning:
    'The same successful call (prompt, tools, model, input tokens) in at least `schwelle` runs within the window, whatever their agents, each shortly after another.',
  quelle: 'aufrufe',
  objekt: 'agent',
  schwelle: of('laeufe', 3, 2, 100_000),
  zeitfenster: during('24h'),
  parameter: Type.Object({
    abstand_sekunden: p(
      number(1, 86_400),
      'Alike calls further apart were made by a clock, which wants to know anew.',
      50,
    ),
    ausnahmen,
  }),
  hoechstens: 'warnen',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    gruppen: field(count(), 'Different calls that were made more than once.', 2),
    aufrufe: field(count(), 'Calls in all, the first of each included.', 9),
    modelle,
    laeufe,
    laeufe_anzahl,
    bis,
  }),
  beispiel: { gruppen: 2, aufrufe: 9, ...AT, ...SOME_RUNS },
  umfang: null,
  satz: {
    de: (w, f) => `fragt in ${f.zahl(w.laeufe_anzahl)} Läufen dasselbe, ${f.zahl(w.aufrufe)} Aufrufe`,
    en: (w, f) => `asks the same in ${f.zahl(w.laeufe_anzahl)} runs, ${f.zahl(w.aufrufe)} calls`,
  },
});

export const modell_zu_gross = ruleType({
  meaning:
    'Of at least `schwelle` calls of a function most are small and plain, and an allowed model costs a fraction of theirs.',
  quelle: 'aufrufe',
  objekt: 'funktion',
  schwelle: of('aufrufe', 50, 1, 1_000_000),
  zeitfenster: during('24h'),
  parameter: Type.Object({
    erlaubt: field(
      preset(listOf(text({ min: 1, max: 200 }), 200), []),
      'Smaller models that may be used instead; none: those that the price book approves (`freigaben`).',
    ),
    anteil_prozent: p(percent(), 'How many of the calls must be small, in percent.', 80),
    ausgabe_token: p(number(0, 1_000_000), 'A small call has at most this many output tokens.', 64),
    eingabe_token: p(number(0, 10_000_000), 'A small call has at most this many input tokens.', 2_000),
    preis_teiler: p(number(2, 1_000), 'The other model must cost at most one part in this many.', 5),
  }),
  hoechstens: 'warnen',
  bereiche: ['mandant', 'projekt', 'agent', 'endkunde', 'funktion'],
  ursache: 'modell',
  werte: Type.Object({
    aufrufe,
    kleine: field(count(), 'Small and plain calls among them.', 190),
    modelle,
    ersatz: field(text(), 'The cheapest of the allowed models.', 'gpt-4o-mini'),
    ersatz_eur: field(decimal(), 'What the small calls would have cost with it.', '0.12'),
    bis,
  }),
  beispiel: {
    aufrufe: 240,
    kleine: 190,
    ersatz: 'gpt-4o-mini',
    ersatz_eur: '0.12',
    modelle: ['gpt-4o'],
    bis: THEN,
  },
  umfang: null,
  satz: {
    de: (w, f) =>
      `nimmt für ${f.zahl(w.kleine)} einfache Aufrufe ein großes Modell; ${w.ersatz} würde genügen`,
    en: (w, f) => `uses a large model for ${f.zahl(w.kleine)} simple calls; ${w.ersatz} would do`,
  },
});

export const denk_uebermass = ruleType({
  meaning:
    'In too many calls of an agent nearly all of the output is reasoning, at least `schwelle` tokens of it.',
  quelle: 'aufrufe',
  objekt: 'agent',
  schwelle: of('token', 4_000, 1, 10_000_000),
  zeitfenster: during('24h'),
  parameter: Type.Object({
    ausgabe_prozent: p(percent(), 'How much of the output of such a call is reasoning, in percent.', 90),
    anteil_prozent: p(percent(), 'How many of the calls must be such, in percent.', 20),
    mindest_aufrufe: p(number(1, 1_000_000), 'Fewer calls are not judged.', 50),
  }),
  hoechstens: 'warnen',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    aufrufe,
    uebermaessige: field(count(), 'Calls among them that were nearly all reasoning.', 30),
    denk_token: field(count(), 'Tokens of reasoning of these.', 180_000),
    modelle,
    bis,
  }),
  beispiel: { aufrufe: 240, uebermaessige: 30, denk_token: 180_000, ...AT },
  umfang: null,
  satz: {
    de: (w, f) =>
      `denkt zu viel nach: ${f.zahl(w.uebermaessige)} von ${f.zahl(w.aufrufe)} Aufrufen bestehen fast nur daraus`,
    en: (w, f) =>
      `reasons too much: ${f.zahl(w.uebermaessige)} of ${f.zahl(w.aufrufe)} calls are nearly nothing else`,
  },
});

export const modell_verboten = ruleType({
  meaning: 'A call with a model that is not among those allowed.',
  quelle: 'aufrufe',
  objekt: 'agent',
  schwelle: null,
  zeitfenster: null,
  parameter: Type.Object({
    erlaubt: field(
      listOf(text({ min: 1, max: 200 }), 200),
      'Models that may be used. `*` at the end stands for any rest of a name.',
    ),
  }),
  hoechstens: 'sperren',
  bereiche: CALLING,
  ursache: null,
  werte: Type.Object({
    aufrufe: field(count(), 'Calls with models that are not allowed.', 4),
    modelle,
    laeufe,
    laeufe_anzahl,
    bis,
  }),
  beispiel: { aufrufe: 4, ...AT, ...SOME_RUNS },
  umfang: null,
  satz: {
    de: (w, f) => `nutzt nicht erlaubte Modelle (${f.namen(w.modelle)}), ${f.zahl(w.aufrufe)} Aufrufe`,
    en: (w, f) => `uses models that are not allowed (${f.namen(w.modelle)}), ${f.zahl(w.aufrufe)} calls`,
  },
});

export const preis_fehlt = ruleType({
  meaning: 'Calls with a model whose price is not known: their cost is in no sum.',
  quelle: 'aufrufe',
  objekt: 'modell',
  schwelle: null,
  zeitfenster: null,
  parameter: NONE,
  hoechstens: 'warnen',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: Type.Object({
    aufrufe: field(count(), 'Calls whose price is not known.', 17),
    anbieter: field(listOf(text(), MAX_NAMEN), 'Providers named with the model; empty for none.', ['openai']),
    agenten,
    bis,
  }),
  beispiel: { aufrufe: 17, anbieter: ['openai'], agenten: ['support/triage'], bis: THEN },
  umfang: null,
  satz: {
    de: (w, f) => `hat keinen bekannten Preis: ${f.zahl(w.aufrufe)} Aufrufe fehlen in allen Summen`,
    en: (w, f) => `has no known price: ${f.zahl(w.aufrufe)} calls are missing in all sums`,
  },
});

export const preis_abweichend = ruleType({
  meaning:
    'Calls that report a cost (`zusatz.gemeldete_kosten_usd`) of more than `schwelle` times, or less than that part of, what they cost here: the price is wrong, or the call used something that nobody told.',
  quelle: 'aufrufe',
  objekt: 'modell',
  schwelle: { einheiten: ['faktor'], default: '2', min: '1', max: '1000' },
  zeitfenster: null,
  parameter: NONE,
  hoechstens: 'warnen',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: Type.Object({
    aufrufe: field(count(), 'Calls whose reported cost is so far off.', 17),
    gemeldet_eur: field(
      decimal(),
      'What these calls report to have cost, at the rate they were counted with.',
      '0.66',
    ),
    gezaehlt_eur: field(decimal(), 'What they cost here.', '0.05'),
    anbieter: field(listOf(text(), MAX_NAMEN), 'Providers named with the model; empty for none.', [
      'openrouter',
    ]),
    agenten,
    bis,
  }),
  beispiel: {
    aufrufe: 17,
    gemeldet_eur: '0.66',
    gezaehlt_eur: '0.05',
    anbieter: ['openrouter'],
    agenten: ['support/triage'],
    bis: THEN,
  },
  umfang: null,
  satz: {
    de: (w, f) =>
      `meldet andere Kosten als gezählt: ${f.euro(w.gemeldet_eur)} statt ${f.euro(w.gezaehlt_eur)}, ${f.zahl(w.aufrufe)} Aufrufe`,
    en: (w, f) =>
      `reports another cost than counted: ${f.euro(w.gemeldet_eur)} instead of ${f.euro(w.gezaehlt_eur)}, ${f.zahl(w.aufrufe)} calls`,
  },
});

export const zaehlweise_unklar = ruleType({
  meaning:
    'Calls with more cached tokens than input, though their input is read as including the cache (`zusatz.eingabe_umfasst_cache`): the sender counts otherwise, and its other calls of the model are read wrongly.',
  quelle: 'aufrufe',
  objekt: 'modell',
  schwelle: null,
  zeitfenster: null,
  parameter: NONE,
  hoechstens: 'warnen',
  bereiche: GELTUNGSBEREICHE,
  ursache: null,
  werte: Type.Object({
    aufrufe: field(count(), 'Calls with more cached tokens than input.', 17),
    andere: field(
      count(),
      'Calls of the model on that day with cached tokens that are read as included in the input.',
      240,
    ),
    anbieter: field(listOf(text(), MAX_NAMEN), 'Providers named with the model; empty for none.', [
      'openrouter',
    ]),
    agenten,
    bis,
  }),
  beispiel: { aufrufe: 17, andere: 240, anbieter: ['openrouter'], agenten: ['support/triage'], bis: THEN },
  umfang: null,
  satz: {
    de: (w, f) =>
      `hat in ${f.zahl(w.aufrufe)} Aufrufen mehr Token aus dem Cache als Eingabe: Zusatz eingabe_umfasst_cache fehlt oder stimmt nicht, ${f.zahl(w.andere)} weitere Aufrufe sind wohl falsch gezählt`,
    en: (w, f) =>
      `has more cached tokens than input in ${f.zahl(w.aufrufe)} calls: eingabe_umfasst_cache is missing or wrong, and ${f.zahl(w.andere)} further calls are probably counted wrongly`,
  },
});
