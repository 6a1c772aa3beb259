import { t } from '@lingui/core/macro';
import {
  type AppealOutcome,
  appealOutcomes,
  appealReasonsMax,
  appealReasonsMin,
} from '#contract/moderation/decisions.ts';
import type { AppealFile } from '#contract/moderation/appeals.ts';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';
import { CheckField } from '../../../ui/form/Field.tsx';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { ContentRow, useContentName } from '../cases/ContentChoice.tsx';
import { sanctionWords } from '../cases/decision-words.ts';
import classes from '../cases/cases.module.css';
import { effectOf, resultWords } from './appeal-words.ts';
import { useDecideAppeal } from './queries.ts';

/** What a reviewer has chosen and typed so far. */
export interface ReviewDraft {
  outcome: AppealOutcome;
  chosen: readonly string[];
  reasons: string;
}

interface ReviewDialogProps {
  file: AppealFile;
  draft: ReviewDraft;
  onDraft: (draft: ReviewDraft) => void;
  /** Shows the form in a column next to the appeal instead of in a dialog over it. */
  isBeside: boolean;
  onDecided: () => void;
  onClose: () => void;
}

/** The form in which a reviewer decides an appeal and gives reasons. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { file, draft, onDraft, isBeside, onDecided, onClose } = props;
  const { appeal, decision } = file;
  const { outcome, chosen } = draft;
  const nameOf = useContentName();
  const command = useDecideAppeal(appeal._id);
  const hasParts = appeal.party === 'person' && decision.sanctions.length > 1;
  const offered = appealOutcomes.filter((one) => one !== 'partly_overturned' || hasParts);
  const isPart = outcome === 'partly_overturned';
  const isPartWrong = isPart && (chosen.length === 0 || chosen.length === decision.sanctions.length);

  function toggle(id: string) {
    onDraft({ ...draft, chosen: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  }

  return (
    <ReasonDialog
      title={t`Decide the appeal`}
      size={isBeside ? 'panel' : 'sheet'}
      description={t`The author reads this. At least ${{ count: appealReasonsMin }} characters, and nothing that reveals who reported.`}
      minLength={appealReasonsMin}
      maxLength={appealReasonsMax}
      confirm={t`Decide`}
      busyText={t`Deciding...`}
      command={command}
      typedBefore={draft.reasons}
      onType={(reasons) => onDraft({ ...draft, reasons })}
      isDisabled={isPartWrong}
      onConfirm={(reasons) =>
        command.mutate(
          { outcome, reasons, ...(isPart && { sanctionIds: [...chosen] }) },
          {
            onSuccess: () => {
              onClose();
              onDecided();
            },
          },
        )
      }
      onClose={onClose}
    >
      <ChoiceGroup
        type="radio"
        name="outcome"
        legend={t`Result`}
        isRow="chips"
        chosen={[outcome]}
        hint={effectOf(outcome, appeal.party)}
        choices={offered.map((value) => ({ value, label: t(resultWords[value]) }))}
        onChange={([value = 'upheld']) => onDraft({ ...draft, outcome: value })}
      />
      {isPart && (
        <fieldset className={classes.measures}>
          <legend>{t`Measures to take back`}</legend>
          <ul className={classes.contents}>
            {decision.sanctions.map(({ _id, kind, content }) => (
              <ContentRow key={_id} content={content ?? null}>
                <CheckField
                  label={[t(sanctionWords[kind]), ...(content ? [nameOf(content)] : [])].join(': ')}
                  description={content?.text ?? ''}
                  checked={chosen.includes(_id)}
                  onChange={() => toggle(_id)}
                />
              </ContentRow>
            ))}
          </ul>
        </fieldset>
      )}
    </ReasonDialog>
  );
}
