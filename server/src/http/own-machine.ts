/** Whether a request comes from the machine the service runs on, and may be told what nobody else may. */
import type { FastifyRequest } from 'fastify';
import type { Config } from '#platform/config.ts';
import { isOwnMachine } from '#platform/own-machine.ts';
import { FORWARDED } from './forwarded.ts';

/**
 * True when the request was sent on this machine, to a name of this machine (a page of elsewhere whose name was made to
 * lead here has another), and by nobody who says that it is on behalf of another.
 */
export function comesFromOwnMachine(request: FastifyRequest): boolean {
  const { host } = request.headers;
  const address = `http://${host}`;
  return (
    host !== undefined &&
    URL.canParse(address) &&
    isOwnMachine(new URL(address).hostname) &&
    isOwnMachine(request.socket.remoteAddress ?? '') &&
    !Object.keys(request.headers).some((name) => FORWARDED.test(name))
  );
}

/** Whether the answer to a request may hold a link that signs in. */
export const mayShowLink = ({ linksInAnswers }: Config, request: FastifyRequest): boolean =>
  linksInAnswers === 'always' || (linksInAnswers === 'local' && comesFromOwnMachine(request));
