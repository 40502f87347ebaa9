/** Editions of the price list as they would be published, and a server that publishes them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelInfo, type Provider, waitForUpdate } from '@pydantic/genai-prices';

/** A model under its own name alone. */
export const model = (id: string, prices: object): ModelInfo =>
  ({ id, match: { equals: id }, prices }) as ModelInfo;

/** The installed list, changed. */
export async function editionOf(change: (providers: Provider[]) => void = () => undefined): Promise<Buffer> {
  const providers = structuredClone((await waitForUpdate()) ?? []);
  change(providers);
  return Buffer.from(JSON.stringify(providers));
}

/** The installed list with one more model of OpenAI. */
export const editionWith = (id: string, input_mtok: number): Promise<Buffer> =>
  editionOf((providers) => {
    providers.find((each) => each.id === 'openai')?.models.push(model(id, { input_mtok, output_mtok: 1 }));
  });

export interface ListServer {
  url: string;
  /** What it answers from now on. */
  serve(body: Buffer | string, status?: number, headers?: Record<string, string>): void;
  stop(): Promise<void>;
}

/** Serves one answer, whatever it is asked. */
export async function startListServer(): Promise<ListServer> {
  let answer: { body: Buffer | string; status: number; headers: Record<string, string> } | null = null;
  const server = createServer((_request, response) => {
    const { body, status, headers } = answer ?? { body: 'nothing', status: 404, headers: {} };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/data.json`,
    serve: (body, status = 200, headers = {}) => {
      answer = { body, status, headers };
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
