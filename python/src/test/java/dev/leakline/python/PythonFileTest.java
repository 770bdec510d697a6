package dev.leakline.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Language that a Python of today may not know, places of nodes, and what becomes of what is no Python. */
final class PythonFileTest {
    private static PythonFile parse(String text) {
        return PythonFile.parse(PythonText.of(text));
    }

    /** The nodes of a class, as the text that they stand for. */
    private static List<String> texts(Class<?> type, String text) {
        List<String> texts = new ArrayList<>();
        parse(text).walk(node -> {
            if (type.isInstance(node)) {
                texts.add(text.substring(node.start(), node.end()));
            }
        });
        return texts;
    }

    private static List<String> errors(String text) {
        PythonFile file = parse(text);
        return file.errors().stream()
                .map(error -> file.text().line(error.offset()) + " " + error.message())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            type X[T: int, *Ts, **P] = T  | [TypeAlias( name=Name( id=X) type_params=[TypeVar( bound=Name( id=int) name=T) TypeVarTuple( name=Ts) ParamSpec( name=P)] value=Name( id=T))]
            type X[T = int] = T           | [TypeAlias( name=Name( id=X) type_params=[TypeVar( default_value=Name( id=int) name=T)] value=Name( id=T))]
            def f[T](x: T): pass          | [FunctionDef( args=arguments( args=[arg( annotation=Name( id=T) arg=x)]) body=[Pass()] name=f type_params=[TypeVar( name=T)])]
            class A[T](B): pass           | [ClassDef( bases=[Name( id=B)] body=[Pass()] name=A type_params=[TypeVar( name=T)])]
            f'{a['b']}'                   | [Expr( value=JoinedStr( values=[FormattedValue( conversion=-1 value=Subscript( slice=Constant.str() value=Name( id=a)))]))]
            f'{f'{f'{1}'}'}'              | [Expr( value=JoinedStr( values=[FormattedValue( conversion=-1 value=JoinedStr( values=[FormattedValue( conversion=-1 value=JoinedStr( values=[FormattedValue( conversion=-1 value=Constant.int())]))]))]))]
            t'a{b!r:{c}}'                 | [Expr( value=TemplateStr( values=[Constant.str() Interpolation( conversion=114 format_spec=JoinedStr( values=[FormattedValue( conversion=-1 value=Name( id=c))]) value=Name( id=b))]))]
            [*a for a in b]               | [Expr( value=ListComp( elt=Starred( value=Name( id=a)) generators=[comprehension( is_async=0 iter=Name( id=b) target=Name( id=a))]))]
            {**a for a in b}              | [Expr( value=DictComp( generators=[comprehension( is_async=0 iter=Name( id=b) target=Name( id=a))] key=Name( id=a)))]
            lazy import a                 | [Import( names=[alias( name=a)])]
            lazy from a import b          | [ImportFrom( level=0 module=a names=[alias( name=b)])]
            lazy = match = case = type = _| [Assign( targets=[Name( id=lazy) Name( id=match) Name( id=case) Name( id=type)] value=Name( id=_))]
            match(x)                      | [Expr( value=Call( args=[Name( id=x)] func=Name( id=match)))]
            match[x]: int                 | [AnnAssign( annotation=Name( id=int) simple=0 target=Subscript( slice=Name( id=x) value=Name( id=match)))]
            type(x)                       | [Expr( value=Call( args=[Name( id=x)] func=Name( id=type)))]
            print x                       | [Invalid()]
            """)
    void newerLanguage(String source, String tree) {
        assertThat(TreeDump.unplaced(parse(source + "\n"))).isEqualTo(tree);
    }

    @Test
    void exceptionsNeedNoParenthesesSincePython314() {
        String source = "try: pass\nexcept A, B: pass\n";
        assertThat(texts(Expr.Tuple.class, source)).containsExactly("A, B");
        assertThat(errors(source)).isEmpty();
    }

    @Test
    void fieldsOfFormatStringsGoOverLinesSincePython312() {
        String source = "x = f'{a +\n  b # why\n}' + 'c'\ny = 1\n";
        assertThat(errors(source)).isEmpty();
        assertThat(texts(Expr.BinOp.class, source)).containsExactly("f'{a +\n  b # why\n}' + 'c'", "a +\n  b");
        assertThat(parse(source).comments()).hasSize(1);
    }

    @Test
    void partsOfFormatStringsAreWhereTheyStand() {
        assertThat(texts(Expr.Name.class, "f'a{b!r:>{c}}{{}}{d=}' f\"{e}\"")).containsExactly("b", "c", "d", "e");
        assertThat(texts(Expr.FormattedValue.class, "f'a{b!r:>{c}}{{}}{d=}'"))
                .containsExactly("{b!r:>{c}}", "{c}", "{d=}");
        assertThat(texts(Expr.Constant.class, "f'a{b}\\N{DASH}{{c}}'")).containsExactly("a", "\\N{DASH}{{c}}");
    }

    @Test
    void parenthesesAreBesideTheTree() {
        PythonFile file = parse("x = ( (a) + b )\n");
        Stmt.Assign assign = (Stmt.Assign) file.body().getFirst();
        Expr.BinOp sum = (Expr.BinOp) assign.value();
        assertThat(file.parentheses().around(sum)).isEqualTo(new Parentheses.Pair(4, 15));
        assertThat(file.parentheses().around(sum.left())).isEqualTo(new Parentheses.Pair(6, 9));
        assertThat(file.parentheses().around(sum.right())).isNull();
        assertThat(file.parentheses().around(sum, new Parentheses.Pair(4, 15))).isNull();
    }

    @Test
    void everyConstructIsRead() throws IOException {
        assertThat(errors(Files.readString(Path.of("src/test/python/every_construct.py"))))
                .isEmpty();
    }

    @Test
    void linesEndAsTheyDo() {
        for (String end : List.of("\n", "\r\n", "\r")) {
            PythonFile file = parse("if a:" + end + "    b \\" + end + "+ c" + end + "\f" + end + "d" + end);
            assertThat(file.errors()).isEmpty();
            assertThat(file.body()).hasSize(2);
            assertThat(file.text().line(file.body().getLast().start())).isEqualTo(5);
        }
    }

    @Test
    void namesAreWhatPythonTakesThemFor() {
        assertThat(TreeDump.unplaced(parse("\ufeff\u210c = \ud835\udd31x.\u5927\n")))
                .isEqualTo("[Assign( targets=[Name( id=H)] value=Attribute( attr=\u5927 value=Name( id=tx)))]");
    }

    @Test
    void numbersTakeWhatTheyCan() {
        assertThat(texts(Expr.Constant.class, "0x1for x in 1_0.e-5if 1else 0b1.real, 0_7j, .5"))
                .containsExactly("0x1f", "1_0.e-5", "1", "0b1", "0_7j", ".5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x = (",
                "x = f(a, [",
                "x = 'abc",
                "x = f'{a",
                "x = f'{a:",
                "x = {",
                "x = \"\"\"abc",
                "x = 1 +",
                "f(]"
            })
    void whatIsUnfinishedTakesNothingElseAway(String broken) {
        String source = "a = 1\n" + broken + "\ndef f():\n    return 2\n";
        assertThat(errors(source)).isNotEmpty();
        assertThat(texts(Stmt.Return.class, source)).containsExactly("return 2");
        assertThat(texts(Stmt.FunctionDef.class, source)).hasSize(1);
    }

    @Test
    void blocksBelowWhatIsBrokenAreRead() {
        String source = "def f(x, y=:\n    return 1\nclass:\n    def g(self): return 2\n";
        assertThat(texts(Stmt.Return.class, source)).containsExactly("return 1", "return 2");
        assertThat(errors(source)).containsExactly("1 '(' was never closed", "1 invalid syntax", "3 invalid syntax");
    }

    @Test
    void errorsSayWhatIsWrong() {
        assertThat(errors("if a:\n\tb\n        c\n"))
                .containsExactly("3 inconsistent use of tabs and spaces in indentation");
        assertThat(errors("if a:\n    b\n  c\n"))
                .containsExactly("3 unindent does not match any outer indentation level");
        assertThat(errors("if a:\nb\n")).containsExactly("2 expected an indented block");
        assertThat(errors("a\n  b\n")).containsExactly("2 unexpected indent");
        assertThat(errors("a = 'b\n")).containsExactly("1 unterminated string literal");
        assertThat(errors("x = (1\n")).isNotEmpty();
        assertThat(errors("")).isEmpty();
    }
}
