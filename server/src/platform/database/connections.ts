import type pg from 'pg';

/** How the service reaches its database. */
export interface Connections {
  /** As the owner of everything in it, for whom row-level security does not hold. */
  connection: pg.ClientConfig;
  /** As the request role. */
  requests: pg.ClientConfig;
}
