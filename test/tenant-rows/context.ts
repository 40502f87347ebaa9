/** What the rows of a Mandant are made of. */
import { hashOf } from '#platform/secret.ts';
import type { Account } from '../account.ts';
import type { TestService } from '../service.ts';

/** A Mandant, and the ids of what rows put into its tables. */
export interface People {
  account: Account;
  /** Another user, who may only read. */
  colleagueId: string;
  invitationId: string;
  ruleId: string;
  lookBackId: string;
  invoiceId: string;
  findingId: string;
  incidentId: string;
  interventionId: string;
  requestId: string;
  /** A view that the account's user keeps. */
  viewId: string;
  repricingId: string;
  /** The only edition of the account's price book, a number that nobody else has. */
  bookEdition: string;
  alarmId: string;
  /** The delivery of that alarm. */
  zustellungId: string;
}

export interface RowContext {
  tenant: People;
  name: string;
  now: string;
  /** An hour from now. */
  later: string;
  /** The hash of the secret for a purpose, as JSON has bytes for a row. */
  hash(purpose: string): string;
  /** What the service keeps sealed, likewise. */
  sealed(value: unknown): string;
}

/** Hash of the secret that is for this purpose: `code`, `ruecksetzung`, `einladung`, `vorgang`, `browser`. */
export const hashFor = (purpose: string, name: string) => hashOf(`${purpose}-${name}`);
/** The proven mail domain of a Mandant. */
export const domainOf = (name: string) => `firma-${name}.example.org`;

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

/** `name` stands in the texts of the rows. */
export const rowContext = ({ context }: TestService, tenant: People, name: string): RowContext => ({
  tenant,
  name,
  now: new Date().toISOString(),
  later: new Date(Date.now() + 3_600_000).toISOString(),
  hash: (purpose) => hex(hashFor(purpose, name)),
  sealed: (value) => hex(context.secrets.seal(Buffer.from(JSON.stringify(value)))),
});
