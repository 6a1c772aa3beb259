import { describe, expect, it } from 'vitest';
import { describePaymentProvider } from '../../../../../test/payments/payment-provider-suite.ts';
import { startStripeBench } from '../../../../../test/payments/stripe-bench.ts';
import { production } from '../../../../../test/production.ts';
import { stripeEnvironment } from '../../../../../test/doubles/stripe-double.ts';
import { readConfig } from '../../../../platform/config/config.ts';

describePaymentProvider('Stripe', startStripeBench, { canBeDown: true });

describe('a configuration', () => {
  const { PAYMENTS_PROVIDER: _, STRIPE_API_BASE: base, ...whole } = stripeEnvironment('http://127.0.0.1:9');

  it('that is complete makes Stripe the provider, with every webhook secret', () => {
    const environment = { ...whole, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' };
    expect(readConfig(environment).payments).toMatchObject({
      provider: 'stripe',
      apiBase: null,
      webhookSecrets: ['whsec_new', 'whsec_old'],
    });
  });

  it.each(Object.keys(whole))('without %s stops the start with its name', (name) => {
    expect(() => readConfig({ ...whole, [name]: '' })).toThrow(name);
  });

  it('with another Stripe address is for tests only', () => {
    const environment = { ...whole, STRIPE_API_BASE: base };
    expect(readConfig(environment).payments).toMatchObject({ apiBase: base });
    expect(() => readConfig({ ...production, ...environment })).toThrow('STRIPE_API_BASE');
  });
});
