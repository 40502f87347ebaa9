import { mcpNachricht } from '#contracts';
import { Content, route } from '#http/index.ts';
import { AppError } from '#kernel/errors.ts';
import type { ToolContext } from '../tools/tool.ts';

const malformed = () =>
  new AppError('malformed', 'anfrage_ungueltig', {
    de: 'Das ist keine Nachricht des Model Context Protocol, oder seine Fassung ist unbekannt.',
    en: 'This is no message of the Model Context Protocol, or its version is unknown.',
  });

export const nachrichtRoute = (context: ToolContext) =>
  route(mcpNachricht, async ({ principal, body, header, reply }) => {
    // Only who asks by this protocol needs what speaks it.
    const { converse } = await import('./converse.ts');
    const answer = await converse(context, principal, body, header['mcp-protocol-version']);
    if (answer.status >= 400) throw malformed();
    reply.code(answer.status);
    return new Content('application/json; charset=utf-8', answer.body);
  });
