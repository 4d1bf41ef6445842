package decide

import "strings"

// unrealWords mark a clause that denies, conditions or only plans what it says.
// A word too many costs little: the hit then goes to the judge.
var unrealWords = map[string][]string{
	"en": {" not ", "n't ", " never ", " without ", " yet to ", " skipped", " unverified", " untested", " should ", " will ", " would ", " once ", " after ", " if ", " when ", " until ", " before ", " to be ", " need to ", " needs to ", " pending", " only ", " assume", " i think ", " expect", " make sure ", " ensure ", " hope", " so far "},
	"de": {" nicht ", " kein", " noch ", " ohne ", " sobald ", " wenn ", " sollte", " wird ", " werden ", " falls ", " bevor ", " nach ", " nur "},
	"ja": {"ない", "ません", "なかった", "せず", "未", "ずに", "まだ", "たら", "れば", "予定", "つもり", "はず", "べき", "後に", "前に", "だけ", "のみ", "見込み", "想定"},
	"zh": {"没", "未", "不", "尚", "如果", "之后", "后再", "应该", "將", "将会"},
	"ko": {"않", "안 ", "못", "없", "면 ", "예정", "아직", "후에"},
}

func unreal(clause, lang string) bool {
	c := " " + strings.ToLower(strings.Trim(clause, " .!?,;:")) + " "
	for _, w := range unrealWords[lang] {
		if strings.Contains(c, w) {
			return true
		}
	}
	return failures(c)
}

// failures reports that a clause tells of checks that failed: whether they are
// explained is for the judge to read.
func failures(clause string) bool {
	for _, w := range []string{"failed", "failing", "fail=", "失敗", "失败", "fehlgeschlagen", "실패"} {
		before, _, found := strings.Cut(clause, w)
		before = strings.TrimRight(before, " :件个")
		if found && !strings.HasSuffix(before, "0") && !strings.HasSuffix(before, " no") && !strings.HasSuffix(before, " none") {
			_, after, _ := strings.Cut(clause, w)
			return !strings.HasPrefix(strings.TrimLeft(after, " :=はが"), "0") && !strings.HasPrefix(after, "なし")
		}
	}
	return false
}
