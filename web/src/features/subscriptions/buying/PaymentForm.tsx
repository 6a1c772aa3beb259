import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { IconCreditCard, IconPlus } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { ChoiceGroup, Form } from '../../../ui/form/Form.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';
import { formatExpiry } from '../../../ui/text/format-payment.ts';
import { fallbackTexts, type SubscriptionError, subscriptionError } from '../errors.ts';
import type { AskBank, CardEntry, Payer, PaymentEnd, PaymentSecret } from '../payers/payer.ts';
import { cardName } from '../plan-words.ts';

const anotherCard = 'another';

interface CardChoiceProps {
  cards: readonly PaymentMethodView[];
  /** The id of a card, or `anotherCard`. */
  chosen: string;
  onChoose: (chosen: string) => void;
}

/** A choice between the saved cards and another card. */
function CardChoice({ cards, chosen, onChoose }: CardChoiceProps) {
  const saved = cards.map((card) => ({
    value: card._id,
    label: (
      <Group component="span" gap="0.1rem 0.7rem">
        <IconCreditCard size={22} stroke={1.5} aria-hidden="true" />
        <span>{cardName(card)}</span>
        <Hint component="span">{t`Expires ${{ month: formatExpiry(card) }}`}</Hint>
      </Group>
    ),
  }));
  const another = (
    <Group component="span" gap="0.1rem 0.7rem">
      <IconPlus size={22} stroke={1.5} aria-hidden="true" />
      <span>{t`Another card`}</span>
    </Group>
  );
  return (
    <ChoiceGroup
      type="radio"
      name="card"
      legend={t`Pay with`}
      choices={[...saved, { value: anotherCard, label: another }]}
      chosen={[chosen]}
      onChange={([next = anotherCard]) => onChoose(next)}
    />
  );
}

interface PaymentFormProps {
  payer: Payer;
  secret: PaymentSecret;
  /** The saved cards, which can be used instead of a new one. */
  cards: readonly PaymentMethodView[];
  text: string;
  busyText: string;
  /** The price and what happens next, shown above the button. */
  terms?: ReactNode;
  /** More buttons next to the one that pays. */
  children?: ReactNode;
  /** Called when the provider has taken the payment. The form is busy until this resolves. */
  onPaid: (end: Exclude<PaymentEnd, 'open'>) => Promise<void>;
  /** Called when this secret can no longer be used for a payment. The form is busy until this resolves. */
  onExpired: (error: SubscriptionError) => unknown;
}

const isExpired = ({ code }: SubscriptionError) => code === 'NOT_FOUND' || code === 'CONFLICT';

/** Pays with a saved card or a new one. A refusal is shown as text, and the typed values are kept. */
export function PaymentForm(props: PaymentFormProps) {
  const { payer, secret, cards, text, busyText, terms, children, onPaid, onExpired } = props;
  const bank = useBank();
  const entry = useRef<CardEntry>(null);
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setChosen] = useState(
    () => (cards.find(({ isDefault }) => isDefault) ?? cards[0])?._id ?? anotherCard,
  );
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isBankOpen, setBankOpen] = useState(false);
  const isNew = chosen === anotherCard;

  function clear() {
    setError(null);
    setBankOpen(false);
  }

  async function askBank() {
    const answer = await bank.ask();
    setBankOpen(answer === null);
    return answer;
  }

  async function refused(failure: SubscriptionError) {
    if (isExpired(failure)) {
      await onExpired(failure);
      return;
    }
    setError(failure.message);
    if (isNew) entry.current?.focus();
    else form.current?.querySelector<HTMLElement>('input[name="card"]:checked')?.focus();
  }

  async function pay() {
    clear();
    setBusy(true);
    try {
      const end = isNew ? await entry.current?.pay(secret) : await payer.payWithKept(secret, chosen, askBank);
      if (end !== undefined && end !== 'open') await onPaid(end);
    } catch (failure) {
      await refused(subscriptionError(failure, fallbackTexts.payment));
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isBusy) void pay();
  }

  return (
    <>
      <Form ref={form} maw="32rem" onSubmit={submit}>
        {cards.length > 0 && (
          <CardChoice
            cards={cards}
            chosen={chosen}
            onChoose={(next) => {
              setChosen(next);
              clear();
            }}
          />
        )}
        {error !== null && <Notice kind="error">{error}</Notice>}
        {isNew && <payer.CardFields secret={secret} entry={entry} askBank={askBank} onEdit={clear} />}
        {isBankOpen && (
          <Notice kind="info">
            {t`Your bank is still waiting for your confirmation. Try again to see its request.`}
          </Notice>
        )}
        {terms}
        <Buttons>
          <BusyButton type="submit" isBusy={isBusy} busyText={busyText}>
            {text}
          </BusyButton>
          {children}
        </Buttons>
      </Form>
      {bank.dialog}
    </>
  );
}

type Answer = Awaited<ReturnType<AskBank>>;

/** The confirmation that a real bank would ask for. Closing the dialog leaves it unanswered. */
function BankDialog({ onAnswer }: { onAnswer: (answer: Answer) => void }) {
  return (
    <Dialog
      title={t`Your bank asks you to confirm`}
      size="narrow"
      onClose={() => onAnswer(null)}
      actions={
        <>
          <Button variant="default" onClick={() => onAnswer('refuse')}>
            {t`Decline`}
          </Button>
          <Button onClick={() => onAnswer('approve')}>{t`Approve`}</Button>
        </>
      }
    >
      {t`Your own bank would send you a code or open its app here. This is a test bank: approve or decline the payment.`}
    </Dialog>
  );
}

/** Simulates a bank: `ask` opens a confirmation in `dialog` and resolves to the payer's answer. */
function useBank() {
  const [isAsking, setAsking] = useState(false);
  const reply = useRef<(answer: Awaited<ReturnType<AskBank>>) => void>(null);

  const ask: AskBank = () =>
    new Promise((resolve) => {
      reply.current = resolve;
      setAsking(true);
    });

  const dialog = isAsking && (
    <BankDialog
      onAnswer={(answer) => {
        setAsking(false);
        reply.current?.(answer);
      }}
    />
  );

  return { ask, dialog };
}
