/**
 * COPY FROM STDIN without waiting in between: statements and data go out in one piece, and the server works through them.
 * What follows a failure the server throws away by itself. Source: "COPY Operations" in PostgreSQL's manual.
 */
import type pg from 'pg';

/** What the driver calls of a query of one's own; its types name `submit` only. */
interface Query extends pg.Submittable {
  handleError(error: Error): void;
  handleCopyInResponse(): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
}

/**
 * Runs statements, separated by `;`, of which each COPY FROM STDIN takes the next of the `data` (messages up to CopyDone, as
 * `CopyBuffer` makes them). Rejects with the first error of the database; then nothing behind it was run. The data must
 * not change until it resolves, nor after it has rejected.
 */
export function copyIn(client: pg.ClientBase, statements: string, data: Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const query: Query = {
      submit(connection) {
        connection.query(statements);
        for (const messages of data) connection.stream.write(messages);
      },
      handleError: reject,
      handleCopyInResponse: () => undefined,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
    };
    client.query(query);
  });
}
