import { getAnswers } from '#contract/compatibility/compatibility.ts';
import { call } from '../../api/call.ts';
import { errorTexts } from '../../api/error-texts.ts';
import { useRead } from '../../api/use-read.ts';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useText } from '../../ui/text/text.ts';

/** In a chunk of its own, with all the questions; fetched beside the answers. */
async function loadPart() {
  try {
    return (await import('./QuestionsPart.tsx')).QuestionsPart;
  } catch {
    throw new Error(errorTexts.network);
  }
}

async function loadAnswers(signal: AbortSignal) {
  return (await call(getAnswers, { signal })).data.answers;
}

/** What the member answers of the compatibility questions; nobody else reads it. */
export function Questions() {
  const t = useText();
  const query = useRead('questions', async (signal) => {
    const [QuestionsPart, answers] = await Promise.all([loadPart(), loadAnswers(signal)]);
    return { QuestionsPart, answers };
  });
  return (
    <Panel
      title={t('Questions')}
      lead={`${t('Others only ever see how well you two fit, never your answers.')} ${t('What you change counts from tomorrow.')}`}
    >
      <QueryStates
        query={query}
        loadingText={t('Loading your answers...')}
        skeleton={<Bone height="5.75rem" />}
        errorText={(error) => t('Your answers could not be loaded: {error}', { error })}
      >
        {({ QuestionsPart, answers }) => <QuestionsPart saved={answers} />}
      </QueryStates>
    </Panel>
  );
}
