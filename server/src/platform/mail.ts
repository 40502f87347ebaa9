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
}

export interface Mailer {
  /** Resolves once the server has taken the mail. `id` makes a repeated sending recognisable as the same mail. */
  send(id: string, mail: Mail): Promise<void>;
  close(): void;
}

const TIMEOUT = 20_000;

function logMailer(log: Log): Mailer {
  return {
    // The whole text: without a mail server the log is where its links are found.
    async send(_id, { an, betreff, text, anhaenge }) {
      const named = anhaenge && { anhaenge: anhaenge.map(({ dateiname }) => dateiname) };
      log.info({ an, betreff, text, ...named }, 'mail');
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
    async send(id, { an, betreff, text, html, anhaenge = [], abbestellen }) {
      await transport.sendMail({
        messageId: `<${id}@${host}>`,
        from: config.mailFrom,
        // As an object: an address is never read as a list of them.
        to: { name: '', address: an },
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
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}
