/** From the report in figures to the report in words. */
import type { Language } from '#kernel/sentence.ts';
import type { Report } from '../rules.ts';
import { aroundOf } from './around.ts';
import type { Block, ReportDocument, Row, Section } from './document.ts';
import { barOf, differenceOf, figuresIn, largestOf } from './figures.ts';
import { dayOf, type Pen, periodOf } from './pen.ts';
import { MERKMALE, SENTENCES, TEILE, WORDS } from './words.ts';

/** `Vorwoche: 12,00 € (+12,5 %)`. */
function comparison({ figures, say }: Pen, what: string, now: string | null, before: string | null): string {
  const difference = differenceOf(now, before);
  const growth = figures.growth(now, before);
  const told = difference === 0n ? say(WORDS.unveraendert) : growth;
  return `${what}: ${figures.euro(before)}${told === null ? '' : ` (${told})`}`;
}

/** Without a call nothing was spent: that is known. */
const costOf = ({ summe }: Report): string | null => (summe.aufrufe === 0 ? '0' : summe.kosten_eur);

function headline(pen: Pen): Block[] {
  const { report, say, figures, sentences } = pen;
  const { vorwoche, mittel, summe } = report;
  const cost = costOf(report);
  const saetze = [
    ...(summe.aufrufe === 0 ? [say(WORDS.keineAufrufe)] : []),
    ...(summe.unbepreist === 0
      ? []
      : [sentences.fehlen(figures.count(summe.unbepreist), summe.unbepreist === 1)]),
    ...(vorwoche
      ? [comparison(pen, say(WORDS.vorwoche), cost, vorwoche.kosten_eur)]
      : summe.aufrufe === 0
        ? []
        : [say(WORDS.ersteWoche)]),
    ...(mittel ? [comparison(pen, sentences.mittel(mittel.wochen), cost, mittel.kosten_eur)] : []),
  ];
  const calls: Row[] = [
    {
      name: say(WORDS.aufrufe),
      wert: figures.count(summe.aufrufe),
      ...(vorwoche ? { hinweis: `${say(WORDS.vorwoche)}: ${figures.count(vorwoche.aufrufe)}` } : {}),
    },
  ];
  return [
    { art: 'kennzahl', name: say(WORDS.kosten), wert: figures.euro(cost), saetze },
    { art: 'zeilen', titel: say(WORDS.kosten), zeilen: calls },
  ];
}

function course({ report, say, figures }: Pen): Block {
  const costs = report.tage.map(({ aufrufe, kosten_eur }) => (aufrufe === 0 ? '0' : kosten_eur));
  const most = largestOf(costs);
  return {
    art: 'balken',
    titel: say(WORDS.verlauf),
    zeilen: report.tage.map(({ schluessel }, index) => ({
      name: figures.day(schluessel),
      wert: figures.euro(costs[index] ?? null),
      betrag_eur: costs[index] ?? null,
      laenge: barOf(costs[index] ?? null, most),
    })),
  };
}

function dearest(pen: Pen): Section[] {
  const { report, say, figures, sentences, page } = pen;
  if (report.agenten.length === 0) return [];
  const calls = (count: number) => sentences.aufrufe(figures.count(count), count === 1);
  const zeilen: Row[] = report.agenten.map(({ schluessel, name, kosten_eur, aufrufe }) => ({
    name: name ?? (schluessel || say(MERKMALE.agent.leer)),
    wert: figures.euro(kosten_eur),
    hinweis: calls(aufrufe),
  }));
  const rest = report.agenten_rest;
  if (rest)
    zeilen.push({
      name: `${say(WORDS.uebrige)} (${figures.count(rest.gruppen)})`,
      wert: figures.euro(rest.kosten_eur),
      hinweis: calls(rest.aufrufe),
    });
  return [
    {
      titel: say(WORDS.agenten),
      bloecke: [{ art: 'zeilen', titel: say(WORDS.teuerste), zeilen }],
      mehr: {
        text: say(WORDS.mehrAufschluesselung),
        adresse: page(`/aufschluesselung?zeitraum=${periodOf(report)}&nach=agent`),
      },
    },
  ];
}

type Changes = Report['aenderungen'][number];
type Change = Changes['neu'][number];

function changesOf(pen: Pen, { merkmal, gestiegen, gesunken, neu, neu_anzahl }: Changes): Block[] {
  const { say, figures, sentences } = pen;
  const { alle, leer, neu: titleOfNew } = MERKMALE[merkmal];
  const nameOf = ({ name, schluessel }: Change) => name ?? (schluessel || say(leer));
  const calls = ({ aufrufe }: Change) => sentences.aufrufe(figures.count(aufrufe), aufrufe === 1);
  const newOnes = new Set(neu.map(({ schluessel }) => schluessel));
  const changed: Row[] = [...gestiegen, ...gesunken].map((row) => ({
    name: nameOf(row),
    wert: figures.more(row.differenz_eur ?? '0'),
    hinweis: newOnes.has(row.schluessel)
      ? `${say(WORDS.neu)} · ${calls(row)}`
      : sentences.statt(figures.euro(row.kosten_eur), figures.euro(row.vorher_eur)),
  }));
  // Those that stand above do not stand here again.
  const risen = new Set(gestiegen.map(({ schluessel }) => schluessel));
  const others = neu.filter(({ schluessel }) => !risen.has(schluessel));
  const added: Row[] = others.map((row) => ({
    name: nameOf(row),
    wert: figures.euro(row.kosten_eur),
    hinweis: calls(row),
  }));
  const more = neu_anzahl - neu.length;
  const told = `${say(titleOfNew)}: ${sentences.weitere(figures.count(more))}`;
  return [
    ...(changed.length > 0 ? [{ art: 'zeilen' as const, titel: say(alle), zeilen: changed }] : []),
    ...(added.length > 0 ? [{ art: 'zeilen' as const, titel: say(titleOfNew), zeilen: added }] : []),
    ...(more > 0 ? [{ art: 'absatz' as const, text: told }] : []),
  ];
}

function changed(pen: Pen): Section[] {
  const { report, say } = pen;
  if (!report.vorwoche) return [];
  const bloecke = report.aenderungen.flatMap((changes) => changesOf(pen, changes));
  const none: Block = { art: 'absatz', text: say(WORDS.keineAenderung) };
  return [{ titel: say(WORDS.aenderungen), bloecke: bloecke.length > 0 ? bloecke : [none] }];
}

function remarks({ report, say, sentences }: Pen): string[] {
  const withheld = report.ausgelassen.map((part) => say(TEILE[part])).join(', ');
  return [
    ...(report.vorlaeufig ? [say(WORDS.vorlaeufig)] : []),
    ...(withheld === '' ? [] : [sentences.ausgelassen(withheld)]),
  ];
}

/** What rates the euros rest on, with shares where there are two kinds; nothing where nothing cost anything. */
function rates({ report: { kursquellen }, figures, say, sentences }: Pen): string[] {
  if (kursquellen.length === 0) return [];
  const named = kursquellen.map(({ quelle, anteil }) =>
    kursquellen.length > 1 ? `${say(WORDS[quelle])} (${figures.share(anteil)})` : say(WORDS[quelle]),
  );
  return [sentences.kurse(named.join(', '))];
}

/** A report in words and formatted figures; `baseUrl` is the public address of the cockpit. */
export function compose(report: Report, language: Language, baseUrl: string): ReportDocument {
  const figures = figuresIn(language);
  const pen: Pen = {
    report,
    figures,
    language,
    say: (sentence) => sentence[language],
    sentences: SENTENCES[language],
    page: (path) => `${baseUrl}${path}`,
  };
  const [year, week] = report.woche.split('-W');
  const last = periodOf(report).slice(-10);
  const named = `${pen.say(WORDS.woche)} ${Number(week)}/${year}`;
  return {
    sprache: language,
    titel: `${pen.say(WORDS.titel)} ${named}`,
    untertitel: `${report.firma} · ${figures.date(dayOf(report.von))} – ${figures.date(last)}`,
    vermerke: remarks(pen),
    abschnitte: [
      { titel: pen.say(WORDS.kosten), bloecke: [...headline(pen), course(pen)] },
      ...dearest(pen),
      ...changed(pen),
      ...aroundOf(pen),
    ],
    fuss: [
      pen.sentences.stand(figures.moment(report.erstellt_am, report.zeitzone)),
      pen.sentences.zeitzone(report.zeitzone),
      ...rates(pen),
    ],
  };
}
