import { otlpMetrics, otlpMetricsShort } from '#contracts';
import { type Route, route } from '#http/index.ts';
import { answerOf, readersOfMetrics } from './door.ts';

/** POST …/v1/metrics: taken and left aside. */
export const messwerteRoutes = (): Route[] =>
  [otlpMetrics, otlpMetricsShort].map((operation) =>
    route(operation, async ({ body: { form } }) => answerOf(form, { refused: 0 }, 'span'), readersOfMetrics),
  );
