/** The contract: every operation's schemas, from which validation, types and `/openapi.json` follow. */
export * from './avv.ts';
export * from './event-fields.ts';
export * from './kit/index.ts';
export * from './operations/anbindung.ts';
export * from './operations/benutzer.ts';
export * from './operations/buchung.ts';
export * from './operations/ereignisse.ts';
export * from './operations/export.ts';
export * from './operations/katalog.ts';
export * from './operations/konto.ts';
export * from './operations/laeufe.ts';
export * from './operations/passwort.ts';
export * from './operations/protokoll.ts';
export * from './operations/sso.ts';
export * from './operations/system.ts';
export * from './operations/verbrauch.ts';
export * from './operations/zugang.ts';
