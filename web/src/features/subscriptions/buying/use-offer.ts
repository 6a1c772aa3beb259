import type { AnswerOf } from '#contract/endpoint.ts';
import { getConfig } from '#contract/system.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';

type Config = AnswerOf<typeof getConfig>['data'];

/** What can be bought here and by whom it is paid; `payments` null: nothing can. */
export interface Offer {
  payments: Config['providers']['payments'];
  publishableKey: string | null;
  plans: Config['premium']['plans'];
  trialDays: number;
}

export type OfferedPlan = Offer['plans'][number];

/** The offer as it is now: prices may have changed since the app was opened. */
export function useOffer() {
  return useRead('offer', async (signal): Promise<Offer> => {
    const { providers, stripePublishableKey, premium } = (await call(getConfig, { signal })).data;
    return { payments: providers.payments, publishableKey: stripePublishableKey, ...premium };
  });
}
