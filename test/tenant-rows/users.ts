/** Rows of users: how they get in, what they keep, and the mail that is for them. */
import { randomUUID } from 'node:crypto';
import { domainOf, type RowContext } from './context.ts';

/** How a user gets in, and how another shall. */
export const accessRows = ({ tenant, name, now, later, hash, sealed }: RowContext) => ({
  zweite_faktoren: {
    benutzer_id: tenant.colleagueId,
    geheimnis: sealed(name),
    erstellt_am: now,
    bestaetigt_am: now,
  },
  wiederherstellungscodes: { benutzer_id: tenant.colleagueId, hash: hash('code') },
  email_bestaetigungen: {
    benutzer_id: tenant.colleagueId,
    hash: hash('bestaetigung'),
    erstellt_am: now,
    gueltig_bis: later,
  },
  passwort_ruecksetzungen: {
    benutzer_id: tenant.colleagueId,
    hash: hash('ruecksetzung'),
    erstellt_am: now,
    gueltig_bis: later,
  },
  einladungen: {
    einladung_id: tenant.invitationId,
    hash: hash('einladung'),
    email: `neu-${name}@example.org`,
    rolle: 'betrachter',
    erstellt_am: now,
    gueltig_bis: later,
  },
});

/** The company account that users get in with. */
export const ssoRows = ({ tenant, name, now, later, hash, sealed }: RowContext) => ({
  sso_anbieter: {
    aktiv: true,
    issuer: `https://anbieter-${name}.example.org`,
    client_id: `client-${name}`,
    client_secret: sealed(name),
    rolle_neu: 'betrachter',
    name: `Firmenkonto ${name}`,
    von_inhaber: true,
  },
  sso_domains: { domain: domainOf(name), nachweis: `nachweis-${name}`, bewiesen_am: now },
  sso_identitaeten: {
    issuer: 'https://anbieter',
    subject: `wer-${name}`,
    benutzer_id: tenant.colleagueId,
    erstellt_am: now,
  },
  sso_vorgaenge: {
    hash: hash('vorgang'),
    browser: hash('browser'),
    geheimnis: sealed(name),
    gueltig_bis: later,
  },
});

/** What a user keeps and gets. */
export const userRows = ({ tenant, name, now }: RowContext) => ({
  betreiber: { benutzer_id: tenant.colleagueId },
  ansichten: {
    benutzer_id: tenant.account.benutzerId,
    ansicht_id: tenant.viewId,
    name: `Ansicht ${name}`,
    pfad: '/aufschluesselung',
    suche: `agent=${name}`,
    erstellt_am: now,
    geaendert_am: now,
  },
  bericht_abos: { benutzer_id: tenant.account.benutzerId, eingeschaltet_am: now },
  bericht_versendungen: {
    benutzer_id: tenant.account.benutzerId,
    woche: now.slice(0, 10),
    versendet_am: now,
  },
});

/** Mail that waits, and work. */
export const waitingRows = ({ name, now, later, sealed }: RowContext) => ({
  postempfaenger: { art: 'alarm', adresse: `alarm-${name}@example.org`, bestaetigt_am: now },
  postausgang: {
    post_id: randomUUID(),
    inhalt: sealed({ an: `post-${name}@example.org`, betreff: 'b', text: 't', html: 'h' }),
    erstellt_am: now,
    verfaellt_am: later,
  },
  auftraege: {
    auftrag_id: randomUUID(),
    job: 'test.kanarie',
    fassung: 1,
    nutzlast: { wessen: name },
    faellig_am: later,
  },
});
