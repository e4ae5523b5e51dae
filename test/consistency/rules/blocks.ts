// Rules on the summaries of rows: field blocks, messages, field_summary, match flags, overall match.
import { FIELDS } from '../answer.ts';
import type { Block, Field, Row } from '../answer.ts';
import type { Story } from '../story.ts';
import { blockOf, isMatch, isOther } from '../story.ts';
import type { Found, Rule } from '../rule.ts';

const TITLES: Record<Field, string> = { name: 'Name', email: 'Email', phone: 'Phone', address: 'Address' };

const eachBlock = (story: Story, find: (block: Block, field: Field) => string | false): Found =>
  FIELDS.map((field) => {
    const block = blockOf(story.answer, field);
    const found = block && block.inputs.length > 0 && find(block, field);
    return found ? `${field}: ${found}` : null;
  });

const sentFields = (story: Story): Field[] =>
  FIELDS.filter((field) => (blockOf(story.answer, field)?.inputs.length ?? 0) > 0);

export const BLOCKS: readonly Rule[] = [
  {
    name: 'nothing-sent',
    clause:
      'C4: `email` and `phone` are always keys; when nothing was sent `input`, `match_status`, `matched_identity` and `match_message` are null, `is_primary` is `No` and `inputs` is `[]`. `address` is absent then.',
    find: ({ answer: { input_validation: it } }) => [
      it.address !== undefined && it.address.inputs.length === 0 && 'address is there without a row',
      ...[it.email, it.phone].map((block) => {
        if (!block) return 'a key is missing';
        const values = [block.input, block.match_status, block.matched_identity, block.match_message];
        return (
          block.inputs.length === 0 &&
          (values.some((value) => value !== null) || block.is_primary !== 'No') &&
          'an empty field says something'
        );
      }),
    ],
  },
  {
    name: 'field-is-one-of-its-rows',
    clause:
      'S2.3: the field level is a verdict collapsed across all values sent. `input` names only the single value the graph resolved against.',
    find: (story) =>
      eachBlock(
        story,
        (block, field) => !block.inputs.some((row) => isRow(block, row, field)) && 'no such row',
      ),
  },
  {
    name: 'field-is-its-best-row',
    clause:
      'S3: Unverified: the graph returned no record linked to the value; of a field, to none of its values.',
    find: (story) =>
      eachBlock(
        story,
        (block) =>
          (block.match_status === 'Unverified' && block.inputs.some((row) => row.validated)
            ? 'Unverified beside a validated row'
            : false) ||
          (isOther(block.match_status) &&
            block.inputs.some((row) => isMatch(row.match_status)) &&
            'another identity’s beside a matching row'),
      ),
  },
  {
    name: 'match-message-by-status',
    clause: 'C4: `match_message`, one per status.',
    find: (story) =>
      eachBlock(story, (block, field) => {
        const allowed = messagesOf(block, field);
        return (
          !allowed.includes(block.match_message ?? '') && `${block.match_status}: “${block.match_message}”`
        );
      }),
  },
  {
    name: 'verified-match-bears-the-name',
    clause:
      'C4: a `match_message` of `VERIFIED MATCH` is only given where the identity bears the submitted name or no name was matched against it.',
    find: (story) =>
      eachBlock(
        story,
        (block) =>
          (block.match_message ?? '').startsWith('VERIFIED MATCH') &&
          !story.nameFits &&
          story.known?.nameless !== true &&
          `“${block.match_message}” beside a name that is ${story.name.match_status}`,
      ),
  },
  {
    name: 'different-person-only-without-the-name',
    clause:
      'C4: a stranger’s value that is dominant by number says `DIFFERENT PERSON: <Field> matches identity <n>, whose name is not the submitted one.`',
    find: (story) =>
      eachBlock(
        story,
        (block) =>
          (block.match_message ?? '').startsWith('DIFFERENT PERSON') &&
          (story.nameFits || story.known?.nameless === true) &&
          isMatch(block.match_status) &&
          `“${block.match_message}” although the name is ${story.name.match_status}`,
      ),
  },
  {
    name: 'field-summary-counts',
    clause:
      'S2.3: `field_summary.<field>`: total, validated, primary_for_dominant, validated_for_dominant, validated_other_identities, unverified: counts of the rows.',
    find: (story) => FIELDS.map((field) => summaryProblem(story, field)),
  },
  {
    name: 'submitted-fields',
    clause: 'C4: `identity_score.match_flags` and `submitted_fields` name only the fields that were sent.',
    find: (story) => {
      const { submitted_fields: sent, match_flags: flags } = story.answer.identity_score;
      const fields = sentFields(story);
      return [
        sent.toSorted().join() !== fields.toSorted().join() && `submitted_fields ${sent.join()}`,
        Object.keys(flags).toSorted().join() !== fields.toSorted().join() &&
          `flags of ${Object.keys(flags).join()}`,
        ...fields.map(
          (field) =>
            flags[field] !== blockOf(story.answer, field)?.match_status &&
            `${field} is flagged ${flags[field]}`,
        ),
      ];
    },
  },
  {
    name: 'overall-match',
    clause:
      'S2.3: `overall_match`: `{ all_components_match_same_identity, matched_identity }`: the dominant identity, and whether all resolved to it.',
    find: ({ answer, contacts, nameFits }) => {
      const { all_components_match_same_identity: all, matched_identity: id } =
        answer.input_validation.overall_match;
      const matching = contacts.every((row) => isMatch(row.match_status));
      return [
        id !== answer.dominant_identity && `identity ${id}, dominant ${answer.dominant_identity}`,
        all &&
          (!nameFits || contacts.some((row) => isOther(row.match_status))) &&
          'all match, says it; not so',
        !all && nameFits && matching && contacts.length > 0 && 'all match, and it denies it',
      ];
    },
  },
];

function isRow(block: Block, row: Row, field: Field): boolean {
  return (
    row.match_status === block.match_status &&
    row.matched_identity === block.matched_identity &&
    row.is_primary === block.is_primary &&
    (field === 'address' || row.input === block.input)
  );
}

function messagesOf({ match_status: status, matched_identity: id }: Block, field: Field): string[] {
  const title = TITLES[field];
  const stranger = `DIFFERENT PERSON: ${title} matches identity ${id}, whose name is not the submitted one.`;
  if (status === 'Unverified') return [`NO RECORD: No matching record for this ${field}.`];
  if (status === 'Primary Match')
    return [`VERIFIED MATCH: ${title} matches the primary verified identity.`, stranger];
  if (status === 'Secondary Match')
    return [
      `VERIFIED MATCH: ${title} matches a secondary record of the primary verified identity.`,
      stranger,
    ];
  return [`DIFFERENT IDENTITY: ${title} matches identity ${id}, not the primary verified identity.`];
}

function summaryProblem({ answer }: Story, field: Field): string | false {
  const block = blockOf(answer, field);
  const rows = block?.inputs ?? [];
  const it = answer.field_summary[field];
  if (!it) return rows.length > 0 && `${field} is missing`;
  const count = (test: (row: Row) => boolean) => rows.filter(test).length;
  const others: Record<string, number> = {};
  for (const row of rows)
    if (isOther(row.match_status))
      others[String(row.matched_identity)] = (others[String(row.matched_identity)] ?? 0) + 1;
  const wanted = {
    status: block?.match_status ?? null,
    matched_identity: block?.matched_identity ?? null,
    total: rows.length,
    validated: count((row) => row.validated),
    primary_for_dominant: count((row) => row.match_status === 'Primary Match'),
    validated_for_dominant: count((row) => isMatch(row.match_status)),
    validated_other_identities: others,
    unverified: count((row) => !row.validated),
  };
  const wrong = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (key) => JSON.stringify(it[key]) !== JSON.stringify(wanted[key]),
  );
  return wrong.length > 0 && `${field}: ${wrong.join(', ')}`;
}
