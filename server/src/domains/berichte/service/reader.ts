/** Who reads a report, and in which language. */
import { readReader } from '#domains/zugang/index.ts';
import { type Language, languageOf } from '#kernel/sentence.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { SessionPrincipal } from '#platform/principal.ts';

/** The language that the user has chosen, else that of the browser (`Accept-Language`). */
export async function languageOfReader(
  { db }: Pick<ServiceContext, 'db'>,
  { mandant, benutzerId }: SessionPrincipal,
  acceptLanguage: string | undefined,
): Promise<Language> {
  const reader = await db.forMandant(mandant, (tx) => readReader(tx, benutzerId));
  return reader?.sprache ?? languageOf(acceptLanguage);
}
