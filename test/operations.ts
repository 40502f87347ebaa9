/** The operations of a running service, as its description has them. */
import { everyOperation, type Operation, type OperationId } from '#contracts';
import type { TestService } from './service.ts';

export interface Described {
  id: OperationId;
  /** Security requirements of the description; none for public operations. */
  security: Record<string, string[]>[];
  /** Its declaration in the contract. */
  operation: Operation;
}

/** Every operation of the contract, registered or not. */
export const declared: readonly Operation[] = Object.values(everyOperation);

/** Those of `/openapi.json`. Throws for one that the contract does not declare. */
export async function operationsOf(service: TestService): Promise<Described[]> {
  const document = (await service.app.inject('/openapi.json')).json();
  const entries = Object.values(document.paths as Record<string, Record<string, object>>).flatMap(
    Object.values,
  );
  return entries.map(
    ({ operationId: id, security }: { operationId: string; security: Described['security'] }) => {
      const operation = declared.find((one) => one.id === id);
      if (!operation) throw new Error(`described and not declared: ${id}`);
      return { id: operation.id as OperationId, security, operation };
    },
  );
}
