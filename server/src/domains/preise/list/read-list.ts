/** Reads an edition as it is published: JSON, checked as far as it is used here. What else it says is left out. */
import type { MatchLogic, ModelInfo, Provider } from '@pydantic/genai-prices';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** The bytes are no price list; the message is a German sentence. */
export class BadPriceList extends Error {}

const Text = Type.String({ maxLength: 1_000 });
/** USD for a unit; beyond that it is no price of a model. */
const Amount = Type.Number({ minimum: 0, maximum: 1_000_000 });
const Tiered = Type.Object({
  base: Amount,
  tiers: Type.Array(Type.Object({ start: Type.Integer({ minimum: 0 }), price: Amount })),
});
const Prices = Type.Record(Type.String({ maxLength: 100 }), Type.Union([Amount, Tiered]));

const StartDate = Type.Object({
  type: Type.Optional(Type.Literal('start_date')),
  start_date: Type.String({ format: 'date' }),
});
/** Answers are remembered by half hours, so no price may begin or end between them. */
const HalfHour = Type.String({
  pattern: '^([01]\\d|2[0-3]):(00|30)(:00(\\.0+)?)?(Z|[+-]\\d{2}:?(00|30))?$',
});
const TimeOfDate = Type.Object({
  type: Type.Optional(Type.Literal('time_of_date')),
  start_time: HalfHour,
  end_time: HalfHour,
});
const Conditional = Type.Object({
  constraint: Type.Optional(Type.Union([StartDate, TimeOfDate])),
  prices: Prices,
});

const closed = { additionalProperties: false };
const Clauses = Type.Array(Type.Ref('Clause'));
const Clause = Type.Unsafe<MatchLogic>(
  Type.Cyclic(
    {
      Clause: Type.Union([
        Type.Object({ equals: Text }, closed),
        Type.Object({ starts_with: Text }, closed),
        Type.Object({ ends_with: Text }, closed),
        Type.Object({ contains: Text }, closed),
        Type.Object({ regex: Text }, closed),
        Type.Object({ and: Clauses }, closed),
        Type.Object({ or: Clauses }, closed),
      ]),
    },
    'Clause',
  ),
);

const Model = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  match: Clause,
  prices: Type.Union([Prices, Type.Array(Conditional, { minItems: 1 })]),
});
const List = Type.Array(
  Type.Object({
    id: Type.String({ pattern: '^[^\\s/]{1,100}$' }),
    name: Text,
    api_pattern: Text,
    provider_match: Type.Optional(Clause),
    model_match: Type.Optional(Clause),
    fallback_model_providers: Type.Optional(Type.Array(Text)),
    models: Type.Array(Model),
  }),
);
type List = Static<typeof List>;
type Conditional = Static<typeof Conditional>;

const check = Compile(List);

/** The list says of a constraint what it is by its fields alone; the library wants it said. */
const withKind = ({ constraint, prices }: Conditional) => {
  if (!constraint) return { prices };
  const type = 'start_date' in constraint ? 'start_date' : 'time_of_date';
  return { constraint: { ...constraint, type }, prices };
};

const toModel = ({ id, match, prices }: List[number]['models'][number]): ModelInfo =>
  ({ id, match, prices: Array.isArray(prices) ? prices.map(withKind) : prices }) as ModelInfo;

function toProvider({ id, name, api_pattern, models, ...more }: List[number]): Provider {
  const { provider_match, model_match, fallback_model_providers } = more;
  return {
    ...{ id, name, api_pattern },
    ...(provider_match && { provider_match }),
    ...(model_match && { model_match }),
    ...(fallback_model_providers && { fallback_model_providers }),
    models: models.map(toModel),
  };
}

/** Every pattern within clauses. */
function* patternsIn(clause: unknown): Generator<string> {
  if (Array.isArray(clause)) for (const each of clause) yield* patternsIn(each);
  else if (clause !== null && typeof clause === 'object')
    for (const [name, value] of Object.entries(clause))
      if (name === 'regex' && typeof value === 'string') yield value;
      else yield* patternsIn(value);
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

function checkPatterns(list: List): void {
  const patterns = list.flatMap(({ api_pattern, provider_match, model_match, models }) => [
    api_pattern,
    ...patternsIn([provider_match, model_match, ...models.map(({ match }) => match)]),
  ]);
  const broken = patterns.find((pattern) => !isPattern(pattern));
  if (broken !== undefined) throw new BadPriceList(`Der Ausdruck „${broken}“ darin ist keiner.`);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BadPriceList('Das ist kein JSON.');
  }
}

function checked(value: unknown): List {
  if (!check.Check(value)) {
    const where = Array.isArray(value) ? (check.Errors(value)[0]?.instancePath ?? '') : '';
    throw new BadPriceList(`Das ist keine Preisliste in der bekannten Form${where && ` (${where})`}.`);
  }
  if (new Set(value.map(({ id }) => id)).size < value.length)
    throw new BadPriceList('Ein Anbieter steht mehrmals darin.');
  checkPatterns(value);
  return value;
}

/** The providers of an edition. Throws `BadPriceList`. */
export function readList(bytes: Uint8Array): Provider[] {
  try {
    return checked(parse(bytes)).map(toProvider);
  } catch (error) {
    // Nothing is nested so deeply in a list that somebody wrote.
    if (error instanceof RangeError) throw new BadPriceList('Das ist zu tief geschachtelt.');
    throw error;
  }
}
