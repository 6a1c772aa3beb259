import type { AnswerOf } from '#contract/endpoint.ts';
import { getInvoice } from '#contract/subscriptions/subscriptions.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';
import { answered, fallbackTexts } from '../errors.ts';

export type BilledInvoice = AnswerOf<typeof getInvoice>['data'];

/** One of the member's invoices, with whom it is made out to. */
export function useInvoice(id: string) {
  return useRead(id, (signal): Promise<BilledInvoice> =>
    answered(async () => (await call(getInvoice, { params: { id }, signal })).data, fallbackTexts.invoice),
  );
}
