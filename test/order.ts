/** In which order files run: those that wait for processes and clocks beside those that keep the processors busy. */
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { needOf } from './needs.ts';

/** By then the last of those that wait has begun: they take longest, and none should be left over at the end. */
const BEGUN = 0.8;

/**
 * They begin first. In a fresh clone nothing is known but sizes, and the largest files come first: these are small, and take longest, the
 * first of them the more where its packages are not there yet.
 */
const FIRST = new Set(['clients/python/python.test.ts', 'bench/protection/protection.test.ts']);
const ROOT = resolve(import.meta.dirname, '..');
const isFirst = ({ moduleId }: TestSpecification) => FIRST.has(relative(ROOT, moduleId));

export class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groups = Map.groupBy(sorted, ({ project, moduleId }) => `${project.name} ${needOf(moduleId)}`);
    // Of each project its files, those of either need evenly spread.
    const placed = [...groups.values()].flatMap((group) =>
      group
        .toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
        .map((spec, index) => {
          const share = (index + 0.5) / group.length;
          return { spec, at: needOf(spec.moduleId) === 'processes' ? share * BEGUN : share };
        }),
    );
    const order = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ spec, at }: (typeof placed)[number]) => order.indexOf(spec.project.name) + at;
    return placed.toSorted((a, b) => rank(a) - rank(b)).map(({ spec }) => spec);
  }
}
