/** In which order files run: those that wait for processes and clocks beside those that keep the processors busy. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { needOf } from './needs.ts';

/** By then the last of those that wait has begun: they take longest, and none should be left over at the end. */
const BEGUN = 0.8;

export class Mixed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groups = Map.groupBy(sorted, ({ project, moduleId }) => `${project.name} ${needOf(moduleId)}`);
    // Of each project its files, those of either need evenly spread.
    const placed = [...groups.values()].flatMap((group) =>
      group.map((spec, index) => {
        const share = (index + 0.5) / group.length;
        return { spec, at: needOf(spec.moduleId) === 'processes' ? share * BEGUN : share };
      }),
    );
    const order = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ spec, at }: (typeof placed)[number]) => order.indexOf(spec.project.name) + at;
    return placed.toSorted((a, b) => rank(a) - rank(b)).map(({ spec }) => spec);
  }
}
