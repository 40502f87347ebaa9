/** Mail by SMTP; without a server for it, into the log. */
import { createTransport } from 'nodemailer';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

/** A document that comes with a mail. */
export interface Anhang {
  /** One line, no path. */
  dateiname: string;
  /** Media type. */
  typ: string;
  /** Base64. */
  inhalt: string;
}

export interface Mail {
  an: string;
  betreff: string;
  text: string;
  html: string;
  anhaenge?: Anhang[];
  /** Page on which mails of this kind are switched off; mail programs offer it beside the sender. */
  abbestellen?: string;
  /** Holds a link that lets somebody in; where no server takes the mail, the log is where it is found. */
  zugangslink?: true;
  /** Whether a POST to that address is enough (RFC 8058). */
  einKlick?: boolean;
  /** Where answers go, if not to the sender. */
  antwortAn?: string;
}

export interface Mailer {
  /**
   * Resolves with true once the server has taken the mail, with false where it stands in the log alone. `id` makes a repeated sending
   * recognisable as the same mail.
   */
  send(id: string, mail: Mail): Promise<boolean>;
  close(): void;
}

const TIMEOUT = 20_000;

/**
 * How mails leave: through a server, or not at all, only into the log. A process that takes requests alone and has no server named
 * does not know what those have that send.
 */
export type Mailweg = 'mailserver' | 'log' | 'unbekannt';

export const mailwegOf = ({ smtpUrl, role }: Pick<Config, 'smtpUrl' | 'role'>): Mailweg => {
  if (smtpUrl !== null) return 'mailserver';
  return role === 'api' ? 'unbekannt' : 'log';
};

function logMailer(log: Log): Mailer {
  // A level that is to keep the log short must not shut anybody out; one that wants no log at all gets none.
  const always = log.child({}, { level: log.level === 'silent' ? 'silent' : 'info' });
  return {
    // The whole text: without a mail server the log is where its links are found.
    async send(_id, { an, betreff, text, anhaenge, zugangslink }) {
      const named = anhaenge && { anhaenge: anhaenge.map(({ dateiname }) => dateiname) };
      (zugangslink ? always : log).info({ an, betreff, text, ...named }, 'mail');
      return false;
    },
    close: () => undefined,
  };
}

export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'baseUrl'>, log: Log): Mailer {
  if (config.smtpUrl === null) return logMailer(log);
  const transport = createTransport({
    url: config.smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    // Contents are text we made; nothing is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // What fails beside a mail; unheard it would end the process.
  transport.on('error', (error) => log.warn({ err: error }, 'mail server lost'));
  const host = new URL(config.baseUrl).hostname;
  return {
    async send(id, { an, betreff, text, html, anhaenge = [], abbestellen, einKlick, antwortAn }) {
      await transport.sendMail({
        messageId: `<${id}@${host}>`,
        from: config.mailFrom,
        // As an object: an address is never read as a list of them.
        to: { name: '', address: an },
        ...(antwortAn === undefined ? {} : { replyTo: { name: '', address: antwortAn } }),
        subject: betreff,
        text,
        html,
        attachments: anhaenge.map(({ dateiname, typ, inhalt }) => ({
          filename: dateiname,
          contentType: typ,
          content: inhalt,
          encoding: 'base64',
        })),
        ...(abbestellen === undefined ? {} : { list: { unsubscribe: abbestellen } }),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(einKlick ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
        },
      });
      return true;
    },
    close: () => transport.close(),
  };
}
