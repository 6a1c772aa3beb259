import { useImperativeHandle, useRef, useState } from 'react';
import { TextField } from '../../../ui/form/TextField.tsx';
import { useText } from '../../../ui/text/text.ts';
import type { CardEntry, CardFieldsProps, PaymentEnd, PaymentSecret } from '../buying/payer.ts';
import { payInSandbox } from './pay-in-sandbox.ts';
import classes from './SandboxCardFields.module.css';
import { cardErrors, type CardValues, grouped, tokenOf } from './test-card.ts';
import { TestCards } from './TestCards.tsx';

const blank: CardValues = { number: '', expiry: '', cvc: '', name: '' };
const inOrder = ['number', 'expiry', 'cvc'] as const;

/** Fields for a test card. What is typed stays in them: only the token that stands for the card is sent. */
export function SandboxCardFields({ entry, askBank, onEdit }: CardFieldsProps) {
  const t = useText();
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
      error: error === undefined ? undefined : t(error),
      autoComplete: 'off',
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => set({ [name]: value }),
    };
  }

  async function pay(secret: PaymentSecret): Promise<PaymentEnd> {
    const found = cardErrors(values, new Date());
    setErrors(found);
    const wrong = inOrder.find((name) => found[name] !== undefined);
    if (wrong !== undefined) focus(wrong);
    const token = tokenOf(values.number);
    return wrong !== undefined || token === null ? 'open' : payInSandbox(secret, token, askBank);
  }

  useImperativeHandle(entry, (): CardEntry => ({ pay, focus: () => focus('number') }));

  return (
    <fieldset ref={place} className={classes.card}>
      <legend className="visually-hidden">{t('Test card')}</legend>
      <TextField
        {...bind('number')}
        required
        label={t('Card number')}
        description={t('A test card from the list below; real ones are refused.')}
        inputMode="numeric"
        dir="ltr"
        onBlur={() => setValues((before) => ({ ...before, number: tidied(before.number) }))}
      />
      <div className={classes.pair}>
        <TextField
          {...bind('expiry')}
          required
          label={t('Expires')}
          placeholder="12/30"
          inputMode="numeric"
          dir="ltr"
        />
        <TextField
          {...bind('cvc')}
          required
          label={t('Security code')}
          placeholder="123"
          inputMode="numeric"
          dir="ltr"
        />
      </div>
      <TextField {...bind('name')} label={t('Name on the card (optional)')} dir="auto" />
      <TestCards
        onUse={(number) => {
          set({ number: grouped(number), expiry: '12/30', cvc: '123' });
          focus('number');
        }}
      />
    </fieldset>
  );
}

/** Grouped, where there is nothing but digits to group. */
const tidied = (number: string) => (/[^\d\s-]/.test(number) ? number : grouped(number));
