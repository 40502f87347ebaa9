/** Every operation of the service, with the schemas of what goes in and out. */
export * from './anbindung.ts';
export * from './benutzer.ts';
export * from './buchung.ts';
export * from './eingriffe.ts';
export * from './ereignisse.ts';
export * from './export.ts';
export * from './katalog.ts';
export * from './kuendigung.ts';
export * from './laeufe.ts';
export * from './lizenzen.ts';
export * from './mandant.ts';
export * from './protokoll.ts';
export * from './schluessel.ts';
export * from './sso.ts';
export * from './system.ts';
export * from './verbrauch.ts';
export * from './zugang.ts';
