/**
 * The project's own addition to the price list, in the list's schema as far as that reaches: models that it lacks or has
 * wrong, and what a tier or region costs, of which the list as installed says nothing. Each entry names its sources.
 */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const closed = { additionalProperties: false };
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const Amount = Type.Number({ minimum: 0 });

const Tiered = Type.Object(
  {
    base: Amount,
    tiers: Type.Array(Type.Object({ start: Type.Integer({ minimum: 0 }), price: Amount }, closed), {
      minItems: 1,
    }),
  },
  closed,
);
const Prices = Type.Record(
  Type.String({ pattern: '^[a-z0-9]+(_[a-z0-9]+)*_(mtok|mchars|kcount|kpages|hours)$' }),
  Type.Union([Amount, Tiered]),
  closed,
);

const StartDate = Type.Object({ type: Type.Literal('start_date'), start_date: Day }, closed);
const Time = Type.String({ pattern: '^\\d{2}:\\d{2}:00Z$' });
/** Hours of a day in UTC; the list's own constraints know neither days of the week nor holidays. */
const TimeOfDate = Type.Object(
  {
    type: Type.Literal('time_of_date'),
    start_time: Time,
    end_time: Time,
    start_date: Type.Optional(Day),
    /** 1 is Monday. */
    weekdays: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1 })),
    /** First and last day of each stretch on which it does not hold. */
    except: Type.Optional(Type.Array(Type.Tuple([Day, Day]))),
  },
  closed,
);
const Conditional = Type.Object(
  { constraint: Type.Optional(Type.Union([StartDate, TimeOfDate])), prices: Prices },
  closed,
);

/** What another tier or region costs: other prices for some keys, or all rates of tokens times a factor. */
const Variant = Type.Object(
  {
    when: Type.Union([
      Type.Object({ preisstufe: Type.String() }, closed),
      Type.Object({ region: Type.String() }, closed),
    ]),
    prices: Type.Optional(Prices),
    /** Decimal text. */
    factor: Type.Optional(Type.String({ pattern: '^\\d+(\\.\\d+)?$' })),
    /** Before that day it is unknown what it cost. */
    constraint: Type.Optional(StartDate),
  },
  closed,
);

/** A clause of the list's own matching; its library reads it. */
const Match = Type.Union(
  ['equals', 'starts_with', 'ends_with', 'contains', 'regex', 'and', 'or'].map((name) =>
    Type.Object(
      { [name]: name === 'and' || name === 'or' ? Type.Array(Type.Object({})) : Type.String() },
      closed,
    ),
  ),
);

const Origin = {
  /** Where the figures stand, in public. */
  sources: Type.Array(Type.String({ pattern: '^https://' }), { minItems: 1 }),
  /** The day they were read there. */
  read: Day,
  comment: Type.Optional(Type.String()),
};

/** A model that the list lacks or has wrong; it goes before the list. */
const Model = Type.Object(
  {
    ...Origin,
    id: Type.String(),
    match: Match,
    prices: Type.Union([Prices, Type.Array(Conditional, { minItems: 1 })]),
    /** Before that day the list is right. */
    from: Type.Optional(Day),
    /** What the list said of it on that day, by its own id; null: it had no such model. */
    corrects: Type.Union([Type.Object({ id: Type.String(), prices: Type.Unknown() }, closed), Type.Null()]),
    /** A list of that day or later that knows the model goes before this: nobody has looked since. */
    until: Day,
  },
  closed,
);

/** What is added to models, whether they come from the list or from here, by their id. */
const Addition = Type.Object(
  {
    ...Origin,
    models: Type.Array(Type.String(), { minItems: 1 }),
    /** Rates that hold where the model has none of that key. */
    prices: Type.Optional(Prices),
    price_variants: Type.Optional(Type.Array(Variant)),
  },
  closed,
);

/** Kinds of tokens that a provider bills as it bills text, so that no rate of their own is lacking. */
const ALIKE = [
  'input_audio',
  'input_image',
  'input_video',
  'output_audio',
  'output_image',
  'output_video',
] as const;
const Alike = Type.Object(
  {
    ...Origin,
    /** Ids of models, as a regular expression over the whole of them. */
    models: Type.String(),
    kinds: Type.Array(Type.Enum([...ALIKE]), { minItems: 1 }),
  },
  closed,
);

/** Rates that the list has copied from another provider, and that nobody states for this one. */
const Without = Type.Object(
  { ...Origin, models: Type.String(), keys: Type.Array(Type.String(), { minItems: 1 }) },
  closed,
);

export type AlikeKind = (typeof ALIKE)[number];

export const Supplement = Type.Object(
  {
    /** The provider's id in the list. */
    provider: Type.String(),
    models: Type.Array(Model),
    additions: Type.Array(Addition),
    alike: Type.Optional(Type.Array(Alike)),
    without: Type.Optional(Type.Array(Without)),
  },
  closed,
);

export type Supplement = Static<typeof Supplement>;
export type SupplementModel = Supplement['models'][number];
export type SupplementPrices = SupplementModel['prices'];
export type PriceConstraint = NonNullable<Static<typeof Conditional>['constraint']>;
export type PriceVariant = Static<typeof Variant>;

const check = Compile(Supplement);

/** Reads one file; throws a `TypeError` that says what is wrong with it. */
export function readSupplement(text: string): Supplement {
  const read: unknown = JSON.parse(text);
  if (check.Check(read)) return read;
  const faults = JSON.stringify(check.Errors(read).slice(0, 3));
  throw new TypeError(`not a supplement to the price list: ${faults}`);
}
