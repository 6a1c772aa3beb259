import { t } from '@lingui/core/macro';
import { Box, Button, Group, Stack } from '@mantine/core';
import { useImperativeHandle, useRef, useState } from 'react';
import type { BodyInput } from '#contract/endpoint.ts';
import { answerSandboxIntent, sandboxCards, type SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { withPlainDigits } from '#contract/text.ts';
import { call } from '../../../api/call.ts';
import { Disclosure } from '../../../ui/data/Disclosure.tsx';
import { FieldRow } from '../../../ui/form/Form.tsx';
import { digitsOf } from '../../../ui/form/form-values.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import { Rows } from '../../../ui/layout/Rows.tsx';
import { answered, fallbackTexts, SubscriptionError } from '../errors.ts';
import type { AskBank, CardEntry, CardFieldsProps, Payer, PaymentEnd, PaymentSecret } from './payer.ts';

type Answer = Omit<BodyInput<typeof answerSandboxIntent>, 'clientSecret'>;

async function send({ intentId, clientSecret }: PaymentSecret, answer: Answer) {
  const body = { clientSecret, ...answer };
  return answered(
    async () => (await call(answerSandboxIntent, { params: { id: intentId }, body })).data.status,
    fallbackTexts.payment,
  );
}

/** Pays with a test token or a saved card, and shows the simulated bank's confirmation if there is one. */
async function payInSandbox(secret: PaymentSecret, token: string, askBank: AskBank): Promise<PaymentEnd> {
  let status = await send(secret, { token });
  if (status === 'requires_action') {
    const challenge = await askBank();
    if (challenge === null) return 'open';
    status = await send(secret, { challenge });
  }
  if (status === 'succeeded' || status === 'processing') return status;
  if (status === 'canceled') {
    throw new SubscriptionError({
      message: t`This payment was canceled. Please start again.`,
      code: 'CONFLICT',
      status: null,
    });
  }
  throw new SubscriptionError({ message: t(fallbackTexts.payment), code: 'PAYMENT_DECLINED', status: null });
}

/** The test cards and their effects, each with a button that fills it in. */
function TestCards({ onUse }: { onUse: (number: string) => void }) {
  return (
    <Disclosure title={t`Test cards`} heading="h3">
      <Rows>
        {sandboxCards.map(({ number, what }) => (
          <Group component="li" key={number} justify="space-between" gap="0.2rem 1rem" wrap="nowrap">
            <Box flex={1} miw={0}>
              <bdi>{grouped(number)}</bdi>
              <div>{t(what)}</div>
            </Box>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t`Use ${{ number: grouped(number) }}`}
              onClick={() => onUse(number)}
            >
              {t`Use`}
            </Button>
          </Group>
        ))}
      </Rows>
    </Disclosure>
  );
}

const blank: CardValues = { number: '', expiry: '', cvc: '', name: '' };
const checkedFields = ['number', 'expiry', 'cvc'] as const;

/** The fields for a test card. Only the card's token is sent, never its number. */
function SandboxCardFields({ entry, askBank, onEdit }: CardFieldsProps) {
  const place = useRef<HTMLFieldSetElement>(null);
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<ReturnType<typeof cardErrors>>({});
  const focus = (name: keyof CardValues) => place.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  function set(changes: Partial<CardValues>) {
    setValues((before) => ({ ...before, ...changes }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changes))));
    onEdit();
  }

  function bind(name: keyof CardValues) {
    const error = errors[name];
    return {
      name,
      value: values[name],
      error: error === undefined ? undefined : error,
      autoComplete: 'off',
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => set({ [name]: value }),
    };
  }

  async function pay(secret: PaymentSecret): Promise<PaymentEnd> {
    const found = cardErrors(values, new Date());
    setErrors(found);
    const wrong = checkedFields.find((name) => found[name] !== undefined);
    if (wrong !== undefined) focus(wrong);
    const token = tokenOf(values.number);
    return wrong !== undefined || token === null ? 'open' : payInSandbox(secret, token, askBank);
  }

  useImperativeHandle(entry, (): CardEntry => ({ pay, focus: () => focus('number') }));

  return (
    <fieldset ref={place}>
      <Stack>
        <legend className="visually-hidden">{t`Test card`}</legend>
        <TextField
          {...bind('number')}
          required
          label={t`Card number`}
          description={t`Use a test card from the list below. Real cards are not accepted.`}
          inputMode="numeric"
          dir="ltr"
          onBlur={() => setValues((before) => ({ ...before, number: tidied(before.number) }))}
        />
        <FieldRow isShort>
          <TextField
            {...bind('expiry')}
            required
            label={t`Expires`}
            placeholder="12/30"
            inputMode="numeric"
            dir="ltr"
          />
          <TextField
            {...bind('cvc')}
            required
            label={t`Security code`}
            placeholder="123"
            inputMode="numeric"
            dir="ltr"
          />
        </FieldRow>
        <TextField {...bind('name')} label={t`Name on the card (optional)`} />
        <TestCards
          onUse={(number) => {
            set({ number: grouped(number), expiry: '12/30', cvc: '123' });
            focus('number');
          }}
        />
      </Stack>
    </fieldset>
  );
}

/** Groups the digits in fours, unless there are other characters. */
const tidied = (number: string) => (/[^\d\s-]/.test(withPlainDigits(number)) ? number : grouped(number));

/** Simulates payments with the tokens of test cards; no money is moved. */
export const sandboxPayer: Payer = { CardFields: SandboxCardFields, payWithKept: payInSandbox };

interface CardValues {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

/** The token of a test card, with any separators between its digits; null for every other number. */
export function tokenOf(number: string): SandboxToken | null {
  if (/[^\d\s-]/.test(withPlainDigits(number))) return null;
  return sandboxCards.find((card) => card.number === digitsOf(number))?.token ?? null;
}

/** A card number in groups of four digits, as it is printed on cards. */
export function grouped(number: string): string {
  return digitsOf(number).replace(/(\d{4})(?=\d)/g, '$1 ');
}

const century = 2000;

/**
 * Whether a card that is valid until the end of a month (`MM/YY` or `MM/YYYY`) is still valid at `now`; null if the
 * text is not a month.
 */
function isGood(expiry: string, now: Date): boolean | null {
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(\d{4}|\d{2})\s*$/.exec(withPlainDigits(expiry)) ?? [];
  if (month === undefined || year === undefined || Number(month) < 1 || Number(month) > 12) return null;
  const fullYear = Number(year) < 100 ? century + Number(year) : Number(year);
  return fullYear * 12 + Number(month) > now.getFullYear() * 12 + now.getMonth();
}

/** The errors of a typed card by field; empty if it is valid. */
export function cardErrors({ number, expiry, cvc }: CardValues, now: Date): Partial<Record<keyof CardValues, string>> {
  const errors: Partial<Record<keyof CardValues, string>> = {};
  if (number.trim() === '') errors.number = t`This is required`;
  else if (tokenOf(number) === null) {
    errors.number = t`This is not one of the test cards. It was not sent. Never enter a real card here.`;
  }
  const isGoodNow = isGood(expiry, now);
  if (expiry.trim() === '') errors.expiry = t`This is required`;
  else if (isGoodNow === null) errors.expiry = t`Use the month and year, like 12/30`;
  else if (!isGoodNow) errors.expiry = t`This date has passed. Use any future month.`;
  if (cvc.trim() === '') errors.cvc = t`This is required`;
  else if (!/^\s*\d{3,4}\s*$/.test(withPlainDigits(cvc))) errors.cvc = t`Use three or four digits`;
  return errors;
}
