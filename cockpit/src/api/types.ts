/** The shapes of the contract that screens pass around. */
import type { AnswerOf } from './operations.ts';

export type Ich = AnswerOf<'ich'>;
export type Sitzung = AnswerOf<'sitzungen'>['sitzungen'][number];
export type Einladung = AnswerOf<'einladungLesen'>;
export type Rolle = Ich['benutzer']['rolle'];
export type Benutzer = AnswerOf<'benutzerListe'>['benutzer'][number];
export type OffeneEinladung = AnswerOf<'benutzerListe'>['einladungen'][number];
export type Konto = AnswerOf<'kontoLesen'>;
export type Branding = Konto['branding'];
export type Alarmkanaele = NonNullable<Konto['alarme']>;
export type Sso = AnswerOf<'ssoLesen'>;
export type SsoDomain = Sso['domains'][number];
export type Lizenz = AnswerOf<'lizenzLesen'>;
export type Protokolleintrag = AnswerOf<'pruefprotokoll'>['eintraege'][number];
export type Uebersicht = AnswerOf<'cockpitUebersicht'>;
export type Summe = Uebersicht['summe'];
export type VerbrauchZeile = Uebersicht['verlauf'][number];
export type Auffaelligkeit = AnswerOf<'cockpitAuffaelliges'>['eintraege'][number];
export type Verbrauch = AnswerOf<'cockpitVerbrauch'>;
export type AgentZeile = AnswerOf<'cockpitAgenten'>['agenten'][number];
export type AgentSeite = AnswerOf<'cockpitAgent'>;
export type Lauf = AnswerOf<'cockpitLaeufe'>['laeufe'][number];
export type LaufSeite = AnswerOf<'cockpitLauf'>;
export type Ereignis = LaufSeite['ereignisse'][number];
export type Anbindung = AnswerOf<'cockpitAnbindung'>;
export type Schluessel = NonNullable<Anbindung['schluessel']>[number];
export type Aufruf = Anbindung['letzte_aufrufe'][number];
