/** What stands beside the cost: burnt and saved money, findings, budgets, calls without a price. */
import { eurFrom, shareOf } from '#kernel/money.ts';
import type { Report } from '../rules.ts';
import type { Block, Row, Section } from './document.ts';
import { type Pen, periodOf } from './pen.ts';
import { URSACHEN_WORTE, WORDS } from './words.ts';

const paragraph = (text: string): Block => ({ art: 'absatz', text });

function burnt({ report, say, figures, sentences }: Pen): Section {
  const { verbranntes_geld_eur, kosten_eur, fehler } = report.summe;
  const cost = eurFrom(kosten_eur ?? '0');
  // A share of a cost of which a part is unknown would be too large.
  const share = cost > 0n ? shareOf(eurFrom(verbranntes_geld_eur), cost) : null;
  const zeilen: Row[] = [
    {
      name: say(WORDS.verbranntes),
      wert: figures.euro(verbranntes_geld_eur),
      ...(share === null ? {} : { hinweis: sentences.anteil(figures.share(share)) }),
    },
    { name: say(WORDS.fehler), wert: figures.count(fehler) },
  ];
  return {
    titel: say(WORDS.verbrannt),
    bloecke: [{ art: 'zeilen', titel: say(WORDS.verbrannt), zeilen }, paragraph(say(WORDS.verbranntMeint))],
  };
}

type Avoided = NonNullable<NonNullable<Report['befunde']>['vermieden']>;

function avoidedRow({ say, figures, sentences }: Pen, { stopps, geschaetzt, eur }: Avoided): Row {
  const all = [figures.count(stopps), stopps === 1] as const;
  return {
    name: say(WORDS.vermieden),
    wert: figures.euro(eur),
    hinweis:
      geschaetzt === 0
        ? sentences.stoppsUnbekannt(...all)
        : sentences.stopps(...all, figures.count(geschaetzt)),
  };
}

/** Savings by cause, those that nobody looks for left out. */
function twinRows({ say, figures, sentences }: Pen, twin: NonNullable<Report['zwilling']>): Row[] {
  const causes = twin.ursachen
    .filter(({ aufrufe }) => aufrufe !== 0)
    .map(({ ursache, gespart_eur, aufrufe }) => ({
      name: say(URSACHEN_WORTE[ursache]),
      wert: figures.euro(gespart_eur),
      hinweis: sentences.aufrufe(figures.count(aufrufe), aufrufe === 1),
    }));
  return [
    {
      name: say(WORDS.zwilling),
      wert: figures.euro(twin.gespart_eur),
      hinweis: say(twin.gespart_eur === null ? WORDS.zwillingLeer : WORDS.zwillingMeint),
    },
    ...causes,
  ];
}

function saved(pen: Pen): Section[] {
  const { report, say, page } = pen;
  const { befunde, zwilling } = report;
  if (!befunde && !zwilling) return [];
  const avoided = befunde?.vermieden ?? null;
  const zeilen = [
    ...(avoided ? [avoidedRow(pen, avoided)] : []),
    ...(zwilling ? twinRows(pen, zwilling) : []),
  ];
  return [
    {
      titel: say(WORDS.gespart),
      bloecke: [
        ...(befunde && !avoided ? [paragraph(say(WORDS.keineStopps))] : []),
        ...(zeilen.length > 0 ? [{ art: 'zeilen' as const, titel: say(WORDS.gespart), zeilen }] : []),
      ],
      ...(zwilling
        ? {
            mehr: { text: say(WORDS.mehrZwilling), adresse: page(`/zwilling?zeitraum=${periodOf(report)}`) },
          }
        : {}),
    },
  ];
}

function found({ report, say, figures, sentences, page, language }: Pen): Section[] {
  if (!report.befunde) return [];
  const { anzahl, liste } = report.befunde;
  const zeilen: Row[] = liste.map((finding) => ({
    name: language === 'de' ? finding.titel : finding.titel_en,
    wert: finding.kosten_eur === null ? '' : figures.euro(finding.kosten_eur),
    hinweis: language === 'de' ? finding.text : finding.text_en,
    link: page(`/befunde/${finding.befund_id}`),
  }));
  const titel = say(WORDS.befunde);
  if (anzahl === 0) return [{ titel, bloecke: [paragraph(say(WORDS.keineBefunde))] }];
  const more =
    anzahl > liste.length ? [paragraph(sentences.befunde(figures.count(anzahl), liste.length))] : [];
  return [
    {
      titel,
      bloecke: [...more, { art: 'zeilen', titel, zeilen }],
      mehr: { text: say(WORDS.mehrBefunde), adresse: page('/befunde') },
    },
  ];
}

function budgeted({ report, say, figures, sentences, page }: Pen): Section[] {
  if (!report.budgets) return [];
  const { monat, anzahl, ueberschritten, liste } = report.budgets;
  const titel = say(WORDS.budgets);
  if (anzahl === 0) return [{ titel, bloecke: [paragraph(say(WORDS.keineBudgets))] }];
  const zeilen: Row[] = liste.map((budget) => {
    const share = budget.anteil_prozent;
    const isOver =
      eurFrom(budget.verbraucht_eur) > 0n && eurFrom(budget.verbraucht_eur) >= eurFrom(budget.budget_eur);
    const wert = share === null ? figures.euro(budget.verbraucht_eur) : figures.percent(share);
    const hints = [
      ...(isOver ? [say(WORDS.ueberschritten)] : []),
      sentences.budget(figures.euro(budget.verbraucht_eur), figures.euro(budget.budget_eur)),
      sentences.prognose(figures.euro(budget.prognose_eur)),
    ];
    return { name: budget.name, wert, hinweis: hints.join(' · ') };
  });
  const stand = sentences.budgetStand(
    figures.month(monat),
    figures.moment(report.erstellt_am, report.zeitzone),
  );
  const exceeded = sentences.vonBudgets(figures.count(ueberschritten), figures.count(anzahl));
  return [
    {
      titel,
      bloecke: [paragraph(`${stand}: ${exceeded}`), { art: 'zeilen', titel, zeilen }],
      mehr: { text: say(WORDS.mehrBudgets), adresse: page('/budgets') },
    },
  ];
}

function unpriced({ report, say, figures, sentences, page }: Pen): Section[] {
  const { unbepreist, aufrufe } = report.summe;
  if (unbepreist === 0) return [];
  const zeilen: Row[] = report.unbepreiste_modelle.map(({ modell, unbepreist: calls }) => ({
    name: modell || say(WORDS.ohneModell),
    wert: sentences.aufrufe(figures.count(calls), calls === 1),
  }));
  const all = sentences.ohnePreis(figures.count(unbepreist), figures.count(aufrufe));
  return [
    {
      titel: say(WORDS.ohnePreis),
      bloecke: [
        paragraph(`${all} ${say(WORDS.ohnePreisMeint)}`),
        { art: 'zeilen', titel: say(WORDS.ohnePreis), zeilen },
      ],
      mehr: { text: say(WORDS.mehrPreise), adresse: page('/preise') },
    },
  ];
}

/** The sections behind those of the cost. */
export const aroundOf = (pen: Pen): Section[] => [
  burnt(pen),
  ...saved(pen),
  ...found(pen),
  ...budgeted(pen),
  ...unpriced(pen),
];
