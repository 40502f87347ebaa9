/** The shapes of the contract that screens pass around. */
import type { AnswerOf } from './operations.ts';

export type Ich = AnswerOf<'ich'>;
export type Uebersicht = AnswerOf<'cockpitUebersicht'>;
export type Summe = Uebersicht['summe'];
export type VerbrauchZeile = Uebersicht['verlauf'][number];
export type AgentZeile = AnswerOf<'cockpitAgenten'>['agenten'][number];
export type AgentSeite = AnswerOf<'cockpitAgent'>;
export type Lauf = AnswerOf<'cockpitLaeufe'>['laeufe'][number];
export type LaufSeite = AnswerOf<'cockpitLauf'>;
export type Ereignis = LaufSeite['ereignisse'][number];
export type Anbindung = AnswerOf<'cockpitAnbindung'>;
export type Schluessel = Anbindung['schluessel'][number];
export type Aufruf = Anbindung['letzte_aufrufe'][number];
