/** The days and the messages of KakaoTalk, on a computer and on a phone. */
const KAKAO_DAY = /^(?:-{5,20} )?(\d{4})년 (\d{1,2})월 (\d{1,2})일(?: .요일)?(?: -{5,20})?$/;
const KAKAO_SAID = /^\[([^\]]{1,60})\] \[((?:오전|오후) \d{1,2}:\d{2})\] (.*)$/;
const KAKAO_PHONE =
  /^(\d{4})년 (\d{1,2})월 (\d{1,2})일 ((?:오전|오후) \d{1,2}:\d{2}), ([^:\n]{1,60}) : (.*)$/;

/** Returns the lines of a chat, those of KakaoTalk as LINE writes them. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (!lines.slice(0, 3).some((line) => /카카오톡 대화|KakaoTalk Chats/.test(line))) return lines;
  return lines.flatMap((line) => {
    if (KAKAO_PHONE.test(line)) {
      return line.replace(KAKAO_PHONE, '$1/$2/$3\n$4\t$5\t$6').split('\n');
    }
    return line.replace(KAKAO_DAY, '$1/$2/$3').replace(KAKAO_SAID, '$2\t$1\t$3');
  });
}
