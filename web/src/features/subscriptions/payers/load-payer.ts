import { useQuery } from '@tanstack/react-query';
import { keys } from '../../../api/keys.ts';
import type { Payer, PaymentsProvider } from './payer.ts';

/** Loads the configured provider. Only the code of this provider is fetched, and for Stripe its script. */
export async function loadPayer(provider: PaymentsProvider, publishableKey: string | null): Promise<Payer> {
  if (provider === 'sandbox') return (await import('./sandbox-payer.tsx')).sandboxPayer;
  return (await import('./stripe-payer.tsx')).stripePayer(publishableKey ?? '');
}

/** The payment provider, once its code has been loaded. */
export function usePayer(provider: PaymentsProvider, publishableKey: string | null) {
  return useQuery({
    queryKey: keys.payer(provider),
    queryFn: () => loadPayer(provider, publishableKey),
    staleTime: Infinity,
  });
}
