/** What the public status says about the state of the parts. */
import type { ResponseOf, status } from '#contracts';
import type { Trouble } from '#domains/ereignisse/index.ts';
import type { MailState } from '#domains/postausgang/index.ts';
import { freshnessOf, type NewestRate, OLD_DAYS } from '#domains/preise/index.ts';
import type { JobState, LastRun } from '#jobs/index.ts';
import type { Room } from '#platform/disk.ts';
import type { Mailweg } from '#platform/mail.ts';

type Status = ResponseOf<typeof status>;

/** A part as it is now. */
export interface Part {
  name: Status['komponenten'][number]['name'];
  status: Status['komponenten'][number]['status'];
  /** When what it does was last done, ISO 8601 in UTC. */
  zuletzt: string | null;
}

/** Seconds the oldest uncounted batch has waited, and how many batches cannot be counted. */
export interface Backlog {
  seconds: number;
  uncountable: number;
  /** Seconds the database's clock is ahead of ours, beyond what the way there and back explains. */
  skew: number;
}

/** How the backups stand. */
export interface BackupState {
  /** Seconds since the last one that is whole; null where none ever was. */
  age: number | null;
  /** When that was, ISO 8601. */
  madeAt: string | null;
  bytes: number | null;
  /** Whether every try since has failed, one at least. */
  fails: boolean;
}

/** How the archive of the log stands, where there is one. */
export interface ArchiveState {
  /** Seconds since the archive last took something. */
  age: number;
  /** When that was, ISO 8601; null where the server has started anew since. */
  archivedAt: string | null;
  /** Bytes of the log that wait for it, of whole segments. */
  waiting: number;
  /** Whether it refused what it was last given. */
  fails: boolean;
  /** Seconds since the instant from which on any other can be gone back to; null where there is none. Undefined: its files lie elsewhere. */
  baseAge: number | null | undefined;
}

/** What the database knows beside the backlog; a value is undefined where it did not answer. */
export interface Facts {
  jobs: JobState[] | undefined;
  /** The last check of the budgets; null before the first. */
  check: LastRun | null | undefined;
  mail: MailState | undefined;
  /** Null where none was ever fetched. */
  rate: NewestRate | null | undefined;
  /** Age of the price list in force, in seconds; null before any was noted. */
  listAge: number | null | undefined;
  /** Null where nobody backs up by the command line. */
  backup: BackupState | null | undefined;
  /** Null where the log is not archived. */
  archive: ArchiveState | null | undefined;
}

/** What was found out about the parts. */
export interface Findings {
  now: Date;
  /** Null: the database did not answer. */
  backlog: Backlog | null;
  facts: Facts;
  trouble: Trouble;
  /** Seconds since a batch was last refused for reasons of ours; null for never. */
  sinceRefusal: number | null;
  /** Undefined where nobody looks, because the database lies elsewhere; null where the system did not tell. */
  room: Room | null | undefined;
  /** Seconds since the wall clock jumped; null for never. */
  sinceJump: number | null;
  mailweg: Mailweg;
}

/** Counting normally keeps up within a second or two; a minute behind is worth saying. */
const MAX_BACKLOG_SECONDS = 60;
/** A refused sender tries again meanwhile; after this long without another refusal it is over. */
const REFUSAL_SHOWS_SECONDS = 60;
/** A jump may have been a correction; a person who looks for the reason of odd times should still see it. */
const JUMP_SHOWS_SECONDS = 300;
/** Clocks that somebody keeps differ by less. */
const MAX_SKEW_SECONDS = 5;
/** What the database's log of changes may grow by under load, or a tenth of a small disk. */
const ENOUGH_BYTES = 5 * 2 ** 30;
const ENOUGH_SHARE = 0.1;
const LATE_SECONDS = 600;
const VERY_LATE_SECONDS = 3_600;
/** It comes every five minutes; three in a row that did not come are worth saying. */
const MAX_CHECK_SECONDS = 900;
const MAX_RUN_SECONDS = 240;
/** A server that is busy, or one that wants to be asked twice, takes a mail after a few minutes. */
const MAIL_PATIENCE_SECONDS = 600;
/** One mailbox may refuse; when that many mails fail it is the way to all of them. */
const MANY_MAILS = 5;
/** The longest time without a rate of the bank: from the Thursday before Easter to the afternoon of the Tuesday after. */
const MAX_RATE_DAYS = 5;
const DAY_MS = 86_400_000;
/** They are made daily; half a day late is worth saying. */
const MAX_BACKUP_SECONDS = 36 * 3_600;
const VERY_OLD_BACKUP_SECONDS = 7 * 86_400;
/** It gets something every minute; what has waited for longer is worth saying. */
const MAX_ARCHIVE_SECONDS = 600;

const isScarce = ({ free, size }: Room): boolean => free < Math.min(ENOUGH_BYTES, size * ENOUGH_SHARE);
const isRecent = (seconds: number | null, within: number): boolean => seconds !== null && seconds < within;

/** `broken` outweighs `limited`. */
const part = (
  name: Part['name'],
  broken: boolean,
  limited: boolean,
  zuletzt: string | null = null,
): Part => ({
  name,
  status: broken ? 'gestört' : limited ? 'eingeschränkt' : 'ok',
  zuletzt,
});
const unknown = (name: Part['name']): Part => ({ name, status: 'unbekannt', zuletzt: null });

function countingPart(backlog: Backlog | null): Part {
  if (!backlog) return unknown('zaehlung');
  return part('zaehlung', false, backlog.seconds > MAX_BACKLOG_SECONDS || backlog.uncountable > 0);
}

function jobsPart(jobs: Facts['jobs']): Part {
  if (!jobs) return unknown('auftraege');
  const late = Math.max(0, ...jobs.map(({ seconds }) => seconds));
  const hasDead = jobs.some(({ givenUp }) => givenUp > 0);
  return part('auftraege', late > VERY_LATE_SECONDS, late > LATE_SECONDS || hasDead);
}

function checkPart(check: Facts['check']): Part {
  if (!check) return unknown('budgetpruefung');
  const { began, seconds, ended } = check;
  const isLate = seconds > MAX_CHECK_SECONDS || (!ended && seconds > MAX_RUN_SECONDS);
  return part('budgetpruefung', seconds > VERY_LATE_SECONDS, isLate, began);
}

function mailPart(mail: Facts['mail'], mailweg: Mailweg): Part[] {
  if (mailweg === 'unbekannt') return [];
  if (mailweg === 'log') return [{ name: 'mail', status: 'nicht_eingerichtet', zuletzt: null }];
  if (!mail) return [unknown('mail')];
  const isLate = mail.failing > 0 && mail.seconds > MAIL_PATIENCE_SECONDS;
  return [part('mail', isLate && mail.failing >= MANY_MAILS, isLate)];
}

function ratesPart(rate: Facts['rate'], now: Date): Part {
  if (rate === undefined) return unknown('kurse');
  // The day begins at midnight: on the sixth day after it the fifth is over.
  const age = rate && Math.floor((now.getTime() - Date.parse(rate.tag)) / DAY_MS);
  return part('kurse', false, age === null || age > MAX_RATE_DAYS, rate?.geholt_am ?? null);
}

function pricesPart(age: Facts['listAge'], now: Date): Part {
  if (age === undefined || age === null) return unknown('preise');
  // The age is a fraction of days: to the second it is the instant it was made from.
  const confirmed = new Date(Math.round(now.getTime() / 1_000 - age) * 1_000).toISOString();
  return part('preise', false, age * 1_000 > OLD_DAYS * DAY_MS, confirmed);
}

function isArchiveLate({ age, waiting, fails, baseAge }: ArchiveState): boolean {
  const isBehind = waiting > 0 && age > MAX_ARCHIVE_SECONDS;
  const leadsNowhere = baseAge === null || (baseAge ?? 0) > MAX_BACKUP_SECONDS;
  return fails || isBehind || leadsNowhere;
}

/**
 * Not listed where no backup was ever tried and no log is archived: an installation may be backed up by other means, and need not tell the world if
 * not. Last done is what a disk that dies now would be put back from.
 */
function backupPart(backup: Facts['backup'], archive: Facts['archive']): Part[] {
  if (backup === undefined || archive === undefined) return [unknown('sicherung')];
  if (backup === null && archive === null) return [];
  const age = backup?.age ?? (backup ? Number.POSITIVE_INFINITY : 0);
  const isOld = backup !== null && (backup.fails || age > MAX_BACKUP_SECONDS);
  const isLate = archive !== null && isArchiveLate(archive);
  const isVeryOld = isOld && (backup.age ?? 0) > VERY_OLD_BACKUP_SECONDS;
  const archived = isLate ? null : archive?.archivedAt;
  const last = [archived, backup?.madeAt]
    .filter((at) => at != null)
    .sort((a, b) => Date.parse(b) - Date.parse(a));
  return [part('sicherung', isVeryOld, isOld || isLate, last[0] ?? null)];
}

function diskPart(room: Findings['room'], isFull: boolean): Part[] {
  if (isFull) return [part('speicherplatz', true, false)];
  if (room === undefined) return [];
  return [room === null ? unknown('speicherplatz') : part('speicherplatz', false, isScarce(room))];
}

function partsOf(findings: Findings): Part[] {
  const { now, backlog, facts, trouble, sinceRefusal, room, sinceJump, mailweg } = findings;
  const isAway = backlog === null;
  const isOff = Math.abs(backlog?.skew ?? 0) > MAX_SKEW_SECONDS;
  return [
    part('datenbank', isAway, false),
    part(
      'annahme',
      isAway || (trouble !== null && trouble !== 'partly'),
      trouble === 'partly' || isRecent(sinceRefusal, REFUSAL_SHOWS_SECONDS),
    ),
    countingPart(backlog),
    jobsPart(facts.jobs),
    checkPart(facts.check),
    ...mailPart(facts.mail, mailweg),
    ratesPart(facts.rate, now),
    pricesPart(facts.listAge, now),
    ...backupPart(facts.backup, facts.archive),
    ...diskPart(room, trouble === 'disk-full'),
    part('uhr', false, isOff || isRecent(sinceJump, JUMP_SHOWS_SECONDS)),
  ];
}

const WORST_FIRST = ['gestört', 'eingeschränkt'] as const;

/** All parts that something looks at, and the worst state of them. */
export interface Assessment {
  status: Status['status'];
  parts: Part[];
  /** Seconds the oldest uncounted batch has waited; null when the database is away. */
  backlogSeconds: number | null;
  /** How old what prices rest on is. */
  preisstand: Status['preisstand'];
}

export function assess(findings: Findings): Assessment {
  const parts = partsOf(findings);
  const worst = WORST_FIRST.find((state) => parts.some(({ status }) => status === state));
  const { backlog, facts, now } = findings;
  return {
    status: worst ?? 'betriebsbereit',
    parts,
    // Senders' and database's clocks may differ by a moment.
    backlogSeconds: backlog && Math.max(0, Math.floor(backlog.seconds)),
    preisstand: freshnessOf(facts.listAge ?? null, facts.rate ?? null, now),
  };
}
