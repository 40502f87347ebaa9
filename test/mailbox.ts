/** A mail server that keeps what it takes, for the service to send to. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

export interface Mailbox {
  /** For `SMTP_URL`. */
  url: string;
  /** What came in, oldest first. */
  mails: Email[];
  /** Waits for a mail to this address with a link to this page, and resolves with the link. */
  linkTo(address: string, page: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: async (stream, _session, done) => {
      mails.push(await PostalMime.parse(Buffer.concat(await stream.toArray())));
      done();
    },
  });
  // A service that is killed hangs up in the middle.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const linksTo = (address: string) =>
    mails
      .filter(({ to }) => to?.some((one) => one.address === address))
      .flatMap(({ text }) => /^https?:\/\/\S+$/m.exec(text ?? '') ?? []);
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    linkTo: (address, page) =>
      until(`a link to ${page} for ${address}`, () =>
        linksTo(address).find((link) => new URL(link).pathname === page),
      ),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
