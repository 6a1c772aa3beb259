import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Loads the module again, because it requests the provider's script once and caches it.
vi.resetModules();
const { loadPayer } = await import('./load-payer.ts');

const scripts = () => [...document.querySelectorAll('script')];

/** Lets the script fail to load for this number of tries; nothing is fetched in tests. */
async function failToFetch(tries: number): Promise<void> {
  const failed = new Set<HTMLScriptElement>();
  while (failed.size < tries) {
    const script = await waitFor(() => {
      const fresh = scripts().find((one) => !failed.has(one));
      if (!fresh) throw new Error('No further script');
      return fresh;
    });
    failed.add(script);
    script.dispatchEvent(new Event('error'));
  }
}

beforeEach(() => {
  const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } };
  happyDOM.settings['handleDisabledFileLoadingAsSuccess'] = true;
});

afterEach(() => {
  for (const script of scripts()) script.remove();
});

describe('loadPayer', () => {
  it('loads no script in the sandbox', async () => {
    await loadPayer('sandbox', null);
    expect(scripts()).toEqual([]);
  });

  it("loads only Stripe's script, without tracking, and reports if that fails", async () => {
    const loading = loadPayer('stripe', 'pk_live_heartwood');
    const failure = expect(loading).rejects.toThrow('Failed to load Stripe.js');
    await waitFor(() => expect(scripts()).toHaveLength(1));
    expect(scripts()[0]?.src).toMatch(/^https:\/\/js\.stripe\.com\/\w+\/stripe\.js\?advancedFraudSignals=false$/);
    await failToFetch(2);
    await failure;
  });
});
