import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { GRAINS, type Grain } from './rollup.ts';
import { completeSums } from './singles.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

// An export reads whole tables page by page: nothing of them may have to be read before the first row.
test.each(Object.keys(GRAINS) as Grain[])(
  'complete sums by %s are read in the order of the key',
  async (grain) => {
    const { column, table } = GRAINS[grain];
    const rows = await service.sql<{ 'QUERY PLAN': string }>(
      `EXPLAIN (COSTS off) SELECT * FROM ${completeSums(grain)} AS v
     WHERE mandant_id = '6f9619ff-8b86-4011-b42d-00c04fc964ff' ORDER BY dimension, ${column}, merkmal_id`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // A cluster shows the plan of the node that has it below its own, with the number of the part in names.
    expect(plan).toMatch(/^(Custom Scan[\s\S]*Task\n.*\n\s+->\s+)?GroupAggregate\n.*\n\s+->\s+Merge Append/);
    expect(plan).toContain(`Index Scan using ${table}_pkey`);
  },
);
