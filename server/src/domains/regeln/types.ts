/** The catalogue of types as the form of a rule needs it. */
import {
  type Node,
  REGELTYP_NAMEN,
  REGELTYP_TEXTE,
  REGELTYPEN,
  type Regeltyp,
  type ResponseOf,
  type regeltypen,
  STUFEN,
} from '#contracts';

type Answer = ResponseOf<typeof regeltypen>;
type Parameter = Answer['typen'][number]['parameter'][number];

const textOrNull = (bound: string | number | undefined): string | null =>
  bound === undefined ? null : String(bound);

function kindOf({ 'x-kind': kind, enum: words, items }: Node): Parameter['art'] {
  if (words) return 'wort';
  if (items) return (items as Node)['x-kind'] === 'integer' ? 'zahlen' : 'woerter';
  return kind === 'decimal' ? 'dezimal' : 'ganzzahl';
}

function toParameter(name: string, schema: Node): Parameter {
  const { description = '', 'x-bounds': exact = {}, enum: words, default: preset = null } = schema;
  const { minimum, maximum } = (schema.items as Node | undefined) ?? schema;
  return {
    name,
    bedeutung: description,
    art: kindOf(schema),
    pflicht: preset === null,
    vorgabe: preset,
    min: textOrNull(exact.min ?? minimum),
    max: textOrNull(exact.max ?? maximum),
    werte: words ? words.map(String) : null,
  };
}

function toType(typ: Regeltyp): Answer['typen'][number] {
  const { meaning, objekt, schwelle, zeitfenster, parameter, bereiche, hoechstens } = REGELTYPEN[typ];
  return {
    typ,
    name: REGELTYP_TEXTE[typ].de,
    bedeutung: meaning,
    objekt,
    schwelle: schwelle && {
      einheiten: [...schwelle.einheiten],
      vorgabe: schwelle.default,
      min: schwelle.min,
      max: schwelle.max,
    },
    zeitfenster: zeitfenster && { vorgabe: zeitfenster.default, kalender: zeitfenster.kalender },
    parameter: Object.entries(parameter.properties).map(([name, schema]) =>
      toParameter(name, schema as Node),
    ),
    bereiche: [...bereiche],
    hoechstens,
  };
}

/** Every type, in the order of the catalogue. */
export const RULE_TYPES: Answer = { typen: REGELTYP_NAMEN.map(toType), stufen: [...STUFEN] };
