import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { createContext, Fragment, type ReactNode, use, useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { Picture as PictureData } from '#contract/media.ts';
import type { CaseFile } from '#contract/moderation/cases.ts';
import type { Evidence, FrozenMessage, FrozenNote, FrozenPlan } from '#contract/moderation/report-file.ts';
import { useMay } from '../../../api/session/permission.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { Facts } from '../../../ui/data/Facts.tsx';
import { RichText, UserText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { formatNumber, formatTime } from '../../../ui/text/format.ts';
import { placeText } from '../../../ui/text/person.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { promptText } from '../../../ui/text/interest-words.ts';
import { PictureDialog, PictureThumbnail } from '../pictures/PictureDialog.tsx';
import { messageAddress } from '../user-file/message-links.ts';
import { genderWords, shortReportId, wordFor } from './report-words.ts';
import { SeenToday, Veil } from './Veil.tsx';
import { Bubble } from './ReportConversation.tsx';
import classes from './report.module.css';
import { FrozenVoice } from './FrozenVoice.tsx';

const authorWords: Record<FrozenMessage['by'], MessageDescriptor> = {
  reporter: msg`Reporter`,
  reported: msg`Reported person`,
};

/** Copies the address of a message, which names it as evidence where a case is opened. */
function CopyLink({ reportId, seq }: { reportId: string; seq: number }) {
  const [isCopied, setCopied] = useState(false);
  if (!useMay('cases.handle')) return null;
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      onClick={() =>
        void navigator.clipboard
          .writeText(new URL(messageAddress(reportId, seq), location.href).href)
          .then(() => setCopied(true))
      }
    >
      {isCopied ? t`Copied` : t`Copy link`}
    </Button>
  );
}

/** Evidence, and the report that it belongs to. */
type EvidenceOf = Evidence & { reportId: string };

/** A sentence with a time. */
function At({ text, time }: { text: (parts: { time: string }) => string; time: string }): ReactNode {
  return <RichText text={text} parts={{ time: <Time at={time} /> }} />;
}

/** The message's earlier versions, oldest first. Versions that are missing from the copy were in the middle. */
function Before({ message: { before, leftOut } }: { message: FrozenMessage }) {
  const half = Math.ceil(before.length / 2);
  return (
    <ol className={classes.before} aria-label={t`Earlier versions`}>
      {before.map(({ text, until }, index) => (
        <Fragment key={index}>
          {leftOut > 0 && index === half && (
            <Hint component="li" fz="small">
              {t`${plural({ count: leftOut }, { one: '# version', other: '# versions' })} in between are not in the copy.`}
            </Hint>
          )}
          <li>
            <Hint fz="small">
              <At text={({ time }) => t`Until ${time} it said`} time={until} />
            </Hint>
            <UserText>{text}</UserText>
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

/** The media of a copied message; its photos are in the list of pictures, under these numbers. */
function MessageMedia({ media, evidence }: { media: FrozenMessage['media']; evidence: EvidenceOf }) {
  const { pictures, voices = [] } = evidence;
  const numbers = usePictureNumbers();
  if (media === undefined) return null;
  const numberOf = (id: string) => numbers.get(id)?.number ?? pictures.findIndex(({ publicId }) => publicId === id) + 1;
  return (
    <ul>
      {media.map(({ kind, id, isOnce, withdrawnAt }, index) => (
        <Hint key={id ?? index} component="li" fz="small">
          {kind === 'picture' && id !== null && t`Photo: picture ${{ number: numberOf(id) }}`}
          {kind === 'picture' && id === null && t`A photo of the reporter, which was not copied`}
          {kind === 'voice' && <FrozenVoice url={voices.find(({ _id }) => _id === id)?.url ?? null} />}
          {isOnce && t`, to be viewed once`}
          {withdrawnAt !== null && (
            <>
              {'. '}
              <At text={({ time }) => t`Not visible to either since ${time}`} time={withdrawnAt} />
            </>
          )}
        </Hint>
      ))}
    </ul>
  );
}

function Message({ message, evidence }: { message: FrozenMessage; evidence: EvidenceOf }) {
  const { reportId, copiedFrom } = evidence;
  const { by, isReported, text, sentAt, editedAt, deletedAt, readAt, before } = message;
  return (
    <Bubble
      side={by === 'reported' ? 'start' : 'end'}
      isMarked={isReported}
      who={
        <>
          <strong>{copiedFrom !== undefined && by === 'reporter' ? t`Other person` : t(authorWords[by])}</strong>
          {isReported && <Tag tone="accent">{t`Reported message`}</Tag>}
          {deletedAt !== null ? (
            <Tag tone="attention">{t`Deleted`}</Tag>
          ) : (
            editedAt !== null && <Tag tone="attention">{t`Changed`}</Tag>
          )}
        </>
      }
      at={sentAt}
      text={text}
    >
      <MessageMedia media={message.media} evidence={evidence} />
      {before.length > 0 && <Before message={message} />}
      <Group gap="0 0.9rem" mt="0.35rem" c="dimmed" fz="small">
        {deletedAt !== null && (
          <span>
            <At text={({ time }) => t`Deleted ${time}`} time={deletedAt} />
          </span>
        )}
        <span>{readAt === null ? t`Not read` : <At text={({ time }) => t`Read ${time}`} time={readAt} />}</span>
        <CopyLink reportId={reportId} seq={message.seq} />
      </Group>
    </Bubble>
  );
}

/** The messages that were stored with a report: who wrote them, when, and what has been changed or deleted since. */
function ReportedMessages({ evidence }: { evidence: EvidenceOf }) {
  return (
    <Stack component="ol" gap="0.6rem" aria-label={t`Copied messages`}>
      {evidence.messages.map((message) => (
        <Message key={message.seq} message={message} evidence={evidence} />
      ))}
    </Stack>
  );
}

type Profile = NonNullable<Evidence['profile']>;

const shownHashLength = 12;

/** The label of a copy. A profile needs none, because every report about a person contains one. */
const titleWords: Record<Evidence['type'], MessageDescriptor | null> = {
  profile: null,
  picture: msg`Reported picture`,
  message: msg`Reported messages`,
  note: msg`Reported note of a like`,
  date: msg`Planned dates`,
};

const captureWords: Record<Evidence['type'], MessageDescriptor> = {
  profile: msg`Profile as it was on`,
  picture: msg`Picture as it was on`,
  message: msg`Messages as they were on`,
  note: msg`Note as it was on`,
  date: msg`Plans as they were on`,
};

/** The label for the part of the profile that a note was about. */
function likedWords(on: FrozenNote['on']): string {
  if (on === null) return t`Sent with a like`;
  return on.kind === 'picture'
    ? t`Sent with a like for the reporter's picture`
    : t`Sent with a like for the reporter's answer`;
}

function Note({ note: { text, likedAt, on } }: { note: FrozenNote }) {
  return (
    <Bubble as="div" side="start" isMarked who={<strong>{t(authorWords.reported)}</strong>} at={likedAt} text={text}>
      <Hint mt="0.35rem" fz="small">
        {likedWords(on)}
      </Hint>
      {on?.kind === 'prompt' && (
        <Hint mt="0.35rem" fz="small">
          {promptText(on.prompt)}: <bdi>{on.answer ?? t`The answer no longer exists.`}</bdi>
        </Hint>
      )}
    </Bubble>
  );
}

const planWords: Record<FrozenPlan['state'], MessageDescriptor> = {
  proposed: msg`Suggested`,
  accepted: msg({ message: 'Agreed', context: 'date' }),
  canceled: msg({ message: 'Canceled', context: 'date' }),
  replaced: msg`Replaced by another`,
};

/** The dates that the two planned. */
function Plans({ plans }: { plans: readonly FrozenPlan[] }) {
  return plans.map(({ by, place, at, zone, note, state }, index) => (
    <Box key={index} mb="1rem">
      <Facts
        columns={4}
        facts={[
          [t`Place`, place],
          [t`Time`, t`${{ time: formatTime(at) }} (${zone})`],
          [t`Suggested by`, t(authorWords[by])],
          [t`State`, t(planWords[state])],
          note !== null && [t`Note`, note, true],
        ]}
      />
    </Box>
  ));
}

interface NumberedPicture {
  number: number;
  picture: PictureData;
}

const NumbersContext = createContext<ReadonlyMap<string, NumberedPicture>>(new Map());

/**
 * The pictures of the surrounding evidence by id, each with its number, which is the same in all copies and lists of a
 * case.
 */
export const usePictureNumbers = () => use(NumbersContext);

/** Numbers the pictures in all evidence of a case. */
export function PictureNumbers({ evidence, children }: { evidence: CaseFile['evidence']; children: ReactNode }) {
  const numbers = useMemo(() => {
    const found = new Map<string, NumberedPicture>();
    for (const picture of evidence.flatMap(({ items }) => items).flatMap(({ pictures }) => pictures))
      if (!found.has(picture.publicId)) found.set(picture.publicId, { number: found.size + 1, picture });
    return found;
  }, [evidence]);
  return <NumbersContext value={numbers}>{children}</NumbersContext>;
}

function ProfileCopy({ id, profile, pictures }: { id: string; profile: Profile; pictures: number | null }) {
  const { firstName, gender, genderText, age, bio, location } = profile;
  const place = placeText(location ?? null);
  return (
    <>
      <Group gap="1rem" mb="1rem" wrap="nowrap">
        <Avatar id={id} name={firstName} picture={null} size={48} />
        <Text ff="heading" fz="1.25rem" fw={600} dir="auto">
          {firstName ?? t`Unknown`}
        </Text>
      </Group>
      <Facts
        columns={4}
        facts={[
          [t`Age`, age === null ? t`N/A` : formatNumber(age)],
          [t`Gender`, genderText || wordFor(genderWords, gender ?? '') || t`N/A`],
          [t`Place`, place || t`N/A`],
          pictures !== null && [t`Pictures`, formatNumber(pictures)],
          [t`Bio`, bio || t`N/A`, true],
        ]}
      />
    </>
  );
}

/** The stored pictures as thumbnails; pressing one enlarges it. */
function Pictures({ title, pictures }: { title: string; pictures: Evidence['pictures'] }) {
  const [enlarged, setEnlarged] = useState<string | null>(null);
  const numbers = usePictureNumbers();
  const numberOf = ({ publicId }: PictureData, index: number) =>
    formatNumber(numbers.get(publicId)?.number ?? index + 1);
  return (
    <>
      <ul className={classes.pictures} aria-label={title} data-single={pictures.length === 1 || undefined}>
        {pictures.map((picture, index) => (
          <li key={picture.publicId}>
            <PictureThumbnail
              picture={picture}
              label={t`Enlarge picture ${{ number: numberOf(picture, index) }}`}
              onEnlarge={() => setEnlarged(picture.publicId)}
            />
            <span className={classes.number} aria-hidden="true">
              {numberOf(picture, index)}
            </span>
          </li>
        ))}
      </ul>
      {enlarged !== null && (
        <PictureDialog title={title} pictures={pictures} first={enlarged} onClose={() => setEnlarged(null)} />
      )}
    </>
  );
}

function Item({ evidence, mayView }: { evidence: EvidenceOf; mayView: boolean }) {
  const { _id: id, type, profile, pictures, messages, note, plans } = evidence;
  const title = titleWords[type];
  return (
    <li className={classes.item}>
      {title !== null && (
        <Title order={3} mb="0.35rem">
          {t(title)}
        </Title>
      )}
      <Group c="dimmed" fz="note" gap="0.35rem 0.9rem" mb="1rem">
        <span>
          {t(captureWords[type])} <Time at={evidence.capturedAt} />
        </span>
        {evidence.copiedFrom !== undefined && (
          <Link to={`/reports/${evidence.copiedFrom}`}>
            {t`Copied from report ${{ id: shortReportId(evidence.copiedFrom) }}`}
          </Link>
        )}
        <Text component="code" ff="monospace" fz="small" title={evidence.hash}>
          {t`SHA-256 ${{ hash: evidence.hash.slice(0, shownHashLength) }}…`}
        </Text>
        {evidence.isIntact && (
          <Tag tone="positive">
            <IconShieldCheck size={14} stroke={2} aria-hidden="true" />
            {t`Unaltered`}
          </Tag>
        )}
      </Group>
      {!evidence.isIntact && (
        <Box mb="1rem">
          <Notice kind="warning">
            {t`This copy no longer matches its hash: it was altered after it was taken. Do not rely on it.`}
          </Notice>
        </Box>
      )}
      {profile !== null && <ProfileCopy id={id} profile={profile} pictures={mayView ? pictures.length : null} />}
      {pictures.length > 0 && (
        <Veil
          count={pictures.length}
          text={t`${plural({ count: pictures.length }, { one: 'Show # picture', other: 'Show # pictures' })}`}
        >
          <Pictures
            title={type === 'message' ? t`Photos in the messages` : t(title ?? msg`Pictures of the profile`)}
            pictures={pictures}
          />
        </Veil>
      )}
      {messages.length > 0 && (
        <Veil
          count={messages.length}
          text={t`${plural({ count: messages.length }, { one: 'Show # message', other: 'Show # messages' })}`}
        >
          <ReportedMessages evidence={evidence} />
        </Veil>
      )}
      {note && (
        <Veil count={1} text={t`Show the note`}>
          <Note note={note} />
        </Veil>
      )}
      {plans && <Plans plans={plans} />}
    </li>
  );
}

interface ItemsProps {
  reportId: string;
  evidence: readonly Evidence[];
}

const lead = msg`Copied when the report was filed. Later edits and deletions do not change it.`;

function Items({ reportId, evidence }: ItemsProps) {
  // The server leaves out pictures and messages for other roles, so an empty list would look as if none were copied.
  const mayView = useMay('evidence.view');
  return (
    <>
      {evidence.length === 0 ? (
        <Hint>{t`Nothing was copied: this report is not about a person, or its subject no longer exists.`}</Hint>
      ) : (
        <Stack component="ul" gap={0}>
          {evidence.map((item) => (
            <Item key={item._id} evidence={{ ...item, reportId }} mayView={mayView} />
          ))}
        </Stack>
      )}
      {!mayView && evidence.length > 0 && (
        <Hint>{t`Your role does not allow you to see pictures and messages in the evidence.`}</Hint>
      )}
      <SeenToday />
    </>
  );
}

/** The evidence of a report, inside another panel. */
export function EvidenceItems(props: ItemsProps) {
  return (
    <>
      <Hint mb="0.9rem">{t(lead)}</Hint>
      <Items {...props} />
    </>
  );
}

/** The evidence in the state in which it was stored when the report was filed. */
export function ReportEvidence({ title = t`Evidence`, ...items }: ItemsProps & { title?: string }) {
  return (
    <Panel title={title} lead={t(lead)}>
      <Items {...items} />
    </Panel>
  );
}
