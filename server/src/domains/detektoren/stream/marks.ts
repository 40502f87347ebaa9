/** The marks of one Mandant, as far as they matter here. */
export interface MarksOfMandant {
  mandant: string;
  zone: string;
  nummern: number[];
  merkmale: number[];
  /** API keys (`schluessel_id`) whose sums changed. */
  schluessel: string[];
  agenten: string[];
  aufrufe_am: string[];
  /** What the calls of each of these agents cost, in millionths of a EUR, rounded up; null where it is not known of all. */
  kosten: number[] | null;
  /** Runs that changed, and those of them that this process has counted. */
  laeufe: string[];
  eigene: ReadonlySet<string>;
}

/** The runs of several Mandanten as the values of `RUNS_OF_MARKS`: one text a Mandant, not a row of two texts a run. */
export const runsOfMarks = (groups: readonly MarksOfMandant[]): [mandanten: string[], laeufe: string[]] => [
  groups.map(({ mandant }) => mandant),
  groups.map(({ laeufe }) => `{${laeufe.join(',')}}`),
];

/** They as SQL, `n` with `mandant_id` and `lauf_id`; `$1` and `$2` are what `runsOfMarks` says. */
export const RUNS_OF_MARKS = `(SELECT g.mandant_id, unnest(g.laeufe::uuid[]) AS lauf_id
    FROM unnest($1::uuid[], $2::text[]) AS g (mandant_id, laeufe)) AS n`;
