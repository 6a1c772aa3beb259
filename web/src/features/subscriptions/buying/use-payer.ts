import { useRead } from '../../../api/use-read.ts';
import { loadPayer, type PaymentsProvider } from './payer.ts';

/** The provider to pay through, once its code is there. */
export function usePayer(provider: PaymentsProvider, publishableKey: string | null) {
  return useRead(provider, () => loadPayer(provider, publishableKey));
}
