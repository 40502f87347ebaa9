/** What the name of a model says besides which model it is: where it runs, and whether it is another one of the family. */

/** Words behind the name of a model that do not make it another one. */
const NEUTRAL = new Set(
  (
    'latest preview exp experimental stable ga beta instruct chat it maas hf customtools ft ' +
    'free online nitro floor exacto extended thinking turbo fp8 fp16 bf16 int4 awq gptq'
  ).split(' '),
);

/** Words without numbers, which are versions and dates. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !/^v?\d/.test(word));

/** All texts within a clause. */
function literalsOf(clause: unknown): string[] {
  if (typeof clause === 'string') return [clause];
  return clause !== null && typeof clause === 'object' ? Object.values(clause).flatMap(literalsOf) : [];
}

/** Regions that Amazon puts before the names of models. */
const AMAZON = /^(global|us-gov|us|eu|apac|jp|au|ca|in|sa|me|af)\.(?=[a-z0-9]+\.)/;
/** Names of models that were tuned by oneself, and of resources, end or begin with what nobody lists. */
const plainName = (name: string) =>
  name
    .replace(/^ft:([^:]+):.*$/, '$1')
    .replace(/^.*\//, '')
    .replace(AMAZON, '');

/**
 * Whether a name that an entry takes by its beginning or by a part of it is that of another model: it has a word that neither the
 * entry's id nor its clauses have, as `gemini-3.8-flash-cyber` has.
 */
export function isSibling(name: string, { id, match }: { id: string; match: unknown }): boolean {
  // Of all models that end like this one it says the same.
  if (match !== null && typeof match === 'object' && 'ends_with' in match) return false;
  const known = new Set([id, ...literalsOf(match)].flatMap(wordsOf));
  return wordsOf(plainName(name)).some((word) => !known.has(word) && !NEUTRAL.has(word));
}

/** As clouds name their regions. */
const CLOUD =
  /^(?:global|us|eu|apac|us-gov|[a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-?\d{1,2}|[a-z]*(?:central|north|south|east|west)[a-z]*\d?)$/;
/** Where the list's rates for Amazon are those of. */
const USUAL = /^(?:global|us|us-east-[12]|us-west-[12])$/;
const OF_GOVERNMENT = /^[a-z]{2}-(?:gov|iso)/;

const REGIONAL_HOSTS = new Set(['aws', 'azure']);
const FOLDERS = new Set([
  'bedrock',
  'bedrock_converse',
  'bedrock_mantle',
  'converse',
  'invoke',
  'claude_platform',
  'azure',
  'global-standard',
]);

/** A name without the folders before it that say where and how it runs; null where there are none, or others. */
export function withoutFolders(provider: string | null, name: string): string | null {
  const parts = name.split('/');
  const folders = parts.slice(0, -1).map((part) => part.toLowerCase());
  const areKnown = folders.every((folder) => FOLDERS.has(folder) || CLOUD.test(folder));
  return folders.length > 0 && areKnown && REGIONAL_HOSTS.has(provider ?? '')
    ? (parts.at(-1) as string)
    : null;
}

/** The region in the name of a resource. */
const RESOURCE = /^(?:arn:aws[^:]*:bedrock:|projects\/[^/]+\/locations\/)([a-z0-9-]+)/;

/**
 * The region that a name states and that the price of the entry does not regard; null where it makes no difference, or the entry is
 * one of that region.
 */
export function unregardedRegion(provider: string, name: string, id: string): string | null {
  const region = (RESOURCE.exec(name)?.[1] ?? regionIn(provider, name))?.toLowerCase() ?? null;
  if (region === null || region === 'global') return null;
  if (provider === 'aws') {
    if (id.startsWith(`${region}.`)) return null;
    if (OF_GOVERNMENT.test(region)) return region;
    return id.startsWith('regional.') || USUAL.test(region) ? null : region;
  }
  // Google asks for more where Claude is bound to a region, and for the same where Gemini is.
  if (provider === 'google') return id.includes('claude') ? region : null;
  return region;
}

/** The region that a name states before the model, in lower case; null for none. */
function regionIn(provider: string, name: string): string | null {
  if (!REGIONAL_HOSTS.has(provider)) return null;
  const parts = name.toLowerCase().split('/');
  const folder = parts.slice(0, -1).find((part) => CLOUD.test(part));
  return folder ?? AMAZON.exec(parts.at(-1) as string)?.[1] ?? null;
}

/** What stands behind the name of a model where it has a date, and a version as Amazon numbers them. */
const DATED = /[-@](20\d{6}|20\d\d-\d\d-\d\d)?(?:-?v\d+(?::\d+)?)?$/;
const REGION_OF_ID = /^(?:global|regional)\./;

/** At Amazon the model of a maker that names neither its maker nor a region: bound to none, which costs what the maker asks for. */
export const unboundName = (provider: string | null, name: string): string | null =>
  provider === 'aws' && /^claude-/.test(name) ? `global.anthropic.${name}` : null;

/**
 * Names under which an undated one is listed, the most likely first. Amazon lists models of others by their makers and where they run: a
 * name that says neither stands for what is bound to no region; without a region it is the one of the maker's name alone.
 */
export function datedNames(ids: readonly string[], name: string): string[] {
  const region = AMAZON.exec(name)?.[1] ?? null;
  const plain = region === null ? name : name.slice(region.length + 1);
  const hasMaker = /^[a-z0-9]+\.[a-z]/.test(plain);
  const found = ids.filter((id) => {
    const own = id.replace(REGION_OF_ID, '');
    const dated = hasMaker ? own : own.replace(/^[a-z0-9]+\.(?=[a-z])/, '');
    return dated.startsWith(`${plain}-`) && dated.replace(DATED, '') === plain;
  });
  const wantsGlobal = region === 'global' || (region === null && !hasMaker);
  const rank = (id: string) => (id.startsWith('global.') === wantsGlobal ? 1 : 0);
  const latest = found.sort(
    (a, b) => rank(b) - rank(a) || (DATED.exec(b)?.[1] ?? '').localeCompare(DATED.exec(a)?.[1] ?? ''),
  );
  return latest.map((id) =>
    region === null || region === 'global'
      ? id.replace(/^regional\./, '')
      : id.replace(REGION_OF_ID, `${region}.`),
  );
}
