/** One message of the protocol and its answer: a server for each, since nothing is kept between them. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { jsonSchemaOf } from '#contracts';
import type { KeyPrincipal } from '#platform/principal.ts';
import type { Tool as OwnTool, ToolContext } from '../tools/tool.ts';
import { runTool, toolsOf } from './run-tool.ts';

const INSTRUCTIONS =
  'What calls of models cost that are counted here, what remains of budgets and limits, what a run has cost, what is waste and what is stopped. Amounts are EUR as exact decimals; null means unknown.';

/** Nothing that clients send is checked by a schema of their own: they are asked nothing. */
const NO_QUESTIONS = {
  getValidator: () => () => {
    throw new Error('clients are asked nothing');
  },
};

const describe = ({ declared: { name, title, description, scope, input } }: OwnTool): Tool => ({
  name,
  title,
  description,
  inputSchema: jsonSchemaOf(input) as Tool['inputSchema'],
  annotations: { title, readOnlyHint: scope === 'Lesen', destructiveHint: false, openWorldHint: false },
});

/** What the fault of a tool is answered with; the caller throws the fault. */
const FAULT = 'The service could not answer.';

function serverFor(context: ToolContext, principal: KeyPrincipal, onFault: (error: unknown) => void): Server {
  const server = new Server(
    { name: 'zaehlwerk', title: 'Zählwerk', version: context.service.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_QUESTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsOf(principal).map(describe) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    try {
      return await runTool(context, principal, params.name, params.arguments ?? {});
    } catch (error) {
      onFault(error);
      throw new Error(FAULT);
    }
  });
  return server;
}

export interface Answered {
  status: number;
  /** Empty where there is nothing to be said. */
  body: string;
}

/** Answers a message of a key. Throws what is a fault of the service. */
export async function converse(
  context: ToolContext,
  principal: KeyPrincipal,
  message: Record<string, unknown>,
  protocolVersion: string | undefined,
): Promise<Answered> {
  let fault: unknown;
  const server = serverFor(context, principal, (error) => {
    fault = error;
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request('http://localhost/v1/mcp', {
      method: 'POST',
      // Checked at the door, or of no consequence: the answer is always one piece of JSON.
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
      },
    });
    const answer = await transport.handleRequest(request, { parsedBody: message });
    const body = await answer.text();
    if (fault !== undefined) throw fault;
    return { status: answer.status, body };
  } finally {
    await server.close();
  }
}
