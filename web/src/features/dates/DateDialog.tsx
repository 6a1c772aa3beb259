import { fill } from '../../ui/text/i18n.ts';
import { msg, t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { IconCalendarDown } from '@tabler/icons-react';
import { useState } from 'react';
import * as calls from '#contract/dates.ts';
import { call } from '../../api/call.ts';
import { usePart } from '../../brand.ts';
import { Facts } from '../../ui/data/Facts.tsx';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { ConfirmDialog } from '../../ui/feedback/FormDialog.tsx';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { DateForm, Safety } from './DateForm.tsx';
import { saveCalendar, useDateCommand } from './queries.ts';
import { ShareWithFriend } from './ShareWithFriend.tsx';
import { stateText } from './state-text.ts';
import { whenText } from './when.ts';

interface DateDialogProps {
  matchId: string;
  userId: string;
  name: string;
  /** Whether the match has ended, while the member still shares the date. */
  isEnded: boolean;
  /** Null to plan one. */
  date: calls.DateView | null;
  onClose: () => void;
}

type Step = 'details' | 'form' | 'cancel';

/** Everything about the date with a match: planning one, answering, sharing and canceling it. */
export function DateDialog({ date, ...dialog }: DateDialogProps) {
  const [step, setStep] = useState<Step>(date === null ? 'form' : 'details');
  // The date as it was last known, because it disappears when it is canceled.
  const [known, setKnown] = useState(date);
  if (date !== null && date !== known) setKnown(date);
  if (step === 'cancel' && known !== null) return <Cancel {...dialog} date={known} />;
  if (step === 'form' || date === null) return <DateForm {...dialog} date={known} />;
  return <Details {...dialog} date={date} onStep={setStep} />;
}

type OpenDateProps = DateDialogProps & { date: calls.DateView };

/** The words for canceling an agreed date, and for removing a suggestion of either person. */
const cancelWords = {
  agreed: {
    title: msg`Cancel this date?`,
    confirm: msg`Cancel date`,
    busy: msg({ message: 'Canceling...', context: 'date' }),
    effect: msg({ message: '{name} is notified. Links that you shared with friends end.' }),
    error: msg({ message: 'The date is still planned: {error}' }),
  },
  own: {
    title: msg`Withdraw your suggestion?`,
    confirm: msg`Withdraw`,
    busy: msg`Withdrawing...`,
    effect: msg({ message: '{name} is notified.' }),
    error: msg({ message: 'Nothing has changed: {error}' }),
  },
  theirs: {
    title: msg`Decline this suggestion?`,
    confirm: msg`Decline`,
    busy: msg`Declining...`,
    effect: msg({ message: '{name} is notified.' }),
    error: msg({ message: 'Nothing has changed: {error}' }),
  },
};

const keepIt = msg({ message: 'Keep it', context: 'date' });

function Cancel({ matchId, userId, name, isEnded, date: { _id: id, state, from }, onClose }: OpenDateProps) {
  const cancel = useDateCommand(matchId, () => call(calls.cancelDate, { params: { id } }));
  const words = cancelWords[state === 'accepted' ? 'agreed' : from === userId ? 'theirs' : 'own'];
  return (
    <ConfirmDialog
      title={t(words.title)}
      cancelText={t(keepIt)}
      confirmText={t(words.confirm)}
      busyText={t(words.busy)}
      command={cancel}
      errorText={(error) => fill(words.error, { error })}
      onClose={onClose}
    >
      {isEnded ? t`Links that you shared with friends end.` : fill(words.effect, { name })}
    </ConfirmDialog>
  );
}

/** The commands in the sheet about a date, with the error of a failed one. */
function useOffers({ matchId, date: { _id: id } }: OpenDateProps) {
  const accept = useDateCommand(matchId, (checksIn: boolean) =>
    call(calls.acceptDate, { params: { id }, body: { checksIn } }),
  );
  const checkIn = useDateCommand(matchId, (checksIn: boolean) =>
    call(calls.putCheckIn, { params: { id }, body: { checksIn } }),
  );
  const calendar = useDateCommand(matchId, () => saveCalendar(id));
  const problem = (accept.error ?? checkIn.error ?? calendar.error) !== null && (
    <>
      <ErrorNotice error={accept.error} text={(error) => t`The date isn't accepted yet: ${error}`} />
      <ErrorNotice error={checkIn.error} text={(error) => t`Couldn't save this: ${error}`} />
      <ErrorNotice error={calendar.error} text={(error) => t`Couldn't get the calendar file: ${error}`} />
    </>
  );
  return { accept, checkIn, calendar, problem };
}

function Details({ onStep, ...props }: OpenDateProps & { onStep: (step: Step) => void }) {
  const { matchId, userId, name, date, onClose } = props;
  const { accept, checkIn, calendar, problem } = useOffers(props);
  const [wish, setWish] = useState(true);
  const isOffered = usePart('dates');
  const isTheirs = date.from === userId;
  const isAgreed = date.state === 'accepted';
  const endText = isTheirs ? t`Decline` : t`Withdraw`;
  const checksIn = checkIn.isPending ? checkIn.variables : date.checksIn;
  return (
    <Dialog
      title={stateText(date, userId, name)}
      size="narrow"
      onClose={onClose}
      problem={problem}
      actions={
        <>
          <Button variant="subtle" color="gray" onClick={() => onStep('cancel')}>
            {isAgreed ? t`Cancel date` : endText}
          </Button>
          {isAgreed ? (
            <BusyButton
              isBusy={calendar.isPending}
              busyText={t`Preparing...`}
              leftSection={<IconCalendarDown size={18} stroke={1.75} aria-hidden="true" />}
              onClick={() => calendar.mutate()}
            >
              {t`Add to calendar`}
            </BusyButton>
          ) : (
            isOffered && (
              <Button variant="default" onClick={() => onStep('form')}>
                {t`Suggest another`}
              </Button>
            )
          )}
          {isOffered && !isAgreed && isTheirs && (
            <BusyButton isBusy={accept.isPending} busyText={t`Accepting...`} onClick={() => accept.mutate(wish)}>
              {t`Accept date`}
            </BusyButton>
          )}
        </>
      }
    >
      <Stack gap="1rem">
        <Facts
          columns={1}
          facts={[[t`When`, whenText(date)], [t`Where`, date.place], date.note !== null && [t`Note`, date.note]]}
        />
        {isAgreed && (
          <Safety name={name} checked={checksIn} onChange={(event) => checkIn.mutate(event.currentTarget.checked)}>
            {(isOffered || date.link !== null) && <ShareWithFriend matchId={matchId} name={name} date={date} />}
          </Safety>
        )}
        {isOffered && !isAgreed && isTheirs && (
          <Safety name={name} checked={wish} onChange={(event) => setWish(event.currentTarget.checked)} />
        )}
      </Stack>
    </Dialog>
  );
}
