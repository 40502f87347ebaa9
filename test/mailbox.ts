/** A mail server that keeps what it takes, for the service to send to. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

export interface Mailbox {
  /** For `SMTP_URL`. */
  url: string;
  /** Waits for a mail to this address and resolves with the link in it. */
  linkTo(address: string): Promise<string>;
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
  const mailTo = (address: string) => mails.find(({ to }) => to?.some((one) => one.address === address));
  return {
    url: `smtp://127.0.0.1:${port}`,
    async linkTo(address) {
      const mail = await until(`a mail to ${address}`, () => mailTo(address));
      const link = /^https?:\/\/\S+$/m.exec(mail.text ?? '')?.[0];
      if (!link) throw new Error(`no link in the mail to ${address}: ${mail.text}`);
      return link;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
