/** The database of a test as its owner, as jobs and counting have it. */
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import type { TestService } from './service.ts';

export const ownerOf = ({ connection, context }: TestService): OwnerDatabase =>
  createOwnerDatabase(
    createPool({ connection, max: 4, statementTimeout: 30_000, name: 'test' }, context.log),
  );
