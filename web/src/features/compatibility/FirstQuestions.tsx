import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { type CompatibilityAnswer, getAnswers, type Question, questionById } from '#contract/compatibility.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { reasonOf } from '../../ui/feedback/Notice.tsx';
import { dropDraft, readDraft, useKeptDraft } from '../../ui/form/drafts.ts';
import { ChoiceGroup } from '../../ui/form/Form.tsx';
import { StepForm } from '../../ui/steps/StepForm.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { useSaveAnswer } from './queries.ts';

/** The questions that new members answer with one press each. */
const firstQuestions: readonly Question[] = ['parties', 'animals', 'affection']
  .map(questionById)
  .filter((question) => question !== undefined);

const draft = 'first-questions';

interface FirstQuestionsProps {
  /** Whether this is the last part of joining. */
  isFinishing: boolean;
  onDone: () => void;
}

function QuestionStep({
  answers,
  isFinishing,
  onDone,
}: FirstQuestionsProps & { answers: readonly CompatibilityAnswer[] }) {
  const save = useSaveAnswer();
  const saving = useMutation({
    mutationFn: async (chosen: [questionId: string, answer: string][]) => {
      for (const [questionId, answer] of chosen) {
        // Until members say more, the same answer from others counts, with a small weight.
        const body = { answer, accepted: [answer], importance: 'a-little' as const };
        await save.mutateAsync({ questionId, body });
      }
    },
    onSuccess: () => {
      dropDraft(draft);
      onDone();
    },
  });
  const saved = Object.fromEntries(
    firstQuestions.map(({ id }) => [id, answers.find(({ questionId }) => questionId === id)?.answer ?? '']),
  );
  const { values, set, edits } = useFields<Record<string, string>>(saved, saving.reset, readDraft(draft) ?? {});
  useKeptDraft(draft, saving.isSuccess || Object.keys(edits).length === 0 ? null : edits);
  const isBlank = Object.values(values).every((answer) => answer === '');
  const isBusy = saving.isPending || isFinishing;

  return (
    <StepForm
      isTall
      isBusy={isBusy}
      problem={saving.error && reasonOf(saving.error)}
      {...(isBlank && { submitText: t`Skip` })}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) saving.mutate(Object.entries(values).filter(([id, answer]) => answer !== saved[id]));
      }}
    >
      {firstQuestions.map(({ id, text, options }) => (
        <ChoiceGroup
          key={id}
          type="radio"
          name={id}
          legend={t(text)}
          choices={options.map((option) => ({ value: option.id, label: t(option.text) }))}
          chosen={[values[id] ?? '']}
          isRow="tiles"
          onChange={([answer = '']) => set(id, answer)}
        />
      ))}
    </StepForm>
  );
}

/** Three of the questions about living together on one screen, which can be skipped. */
export function FirstQuestions(props: FirstQuestionsProps) {
  const answers = useEndpoint(getAnswers, {}, { select: (data) => data.answers, staleTime: 0, gcTime: 0 });
  return (
    <QueryStates
      query={answers}
      loadingText={t`Loading your answers...`}
      skeleton="24rem"
      errorText={(error) => t`Couldn't load your answers: ${error}`}
    >
      {(known) => <QuestionStep {...props} answers={known} />}
    </QueryStates>
  );
}
